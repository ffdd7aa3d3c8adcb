import { randomInt } from 'node:crypto'
import { resolve } from 'node:path'
import { familyOf } from '../../fixtures/built-contract/index.ts'
import { createSupertestClient } from '../engine/clients/supertest-client.ts'
import { enumerate } from '../engine/enumerate.ts'
import { createRedactor } from '../engine/redact.ts'
import type { Step } from '../engine/step.ts'
import { formsOf } from '../engine/target/forms-of.ts'
import { recogniseMock } from '../engine/target/own-mock.ts'
import { defaultRate, type TargetFile, UsageError } from '../engine/target/target.ts'
import { onOneLine } from '../report/visible.ts'
import { type Anonymised, anonymise, type Treatment } from '../run/capture/anonymise.ts'
import { collect, readRecording } from '../run/capture/collect.ts'
import { type ReadAnswer, readDeployment } from '../run/capture/read-deployment.ts'
import { planReadings, type Reading } from '../run/capture/readings.ts'
import { discover } from '../run/discover.ts'
import { decodeBodies } from '../run/har/decode-bodies.ts'
import { createHarRedactor } from '../run/har/secrets.ts'
import type { Command, CommandContext } from './command.ts'
import { readBeside, readJson, readTarget, refuseMissingFolder, writeText } from './files.ts'
import { captureOptions, type OptionValues, renderOptions } from './options.ts'
import { formatDuration, showProgress } from './plan.ts'
import { readNumber } from './values.ts'

const help = `stack-parity capture --target FILE --out WORLD [options]
stack-parity capture --har FILE --out WORLD [options]

Reads a deployment, or recorded traffic, and writes a scenario that
\`stack-parity mock --scenario WORLD\` serves: the same objects in the same states, times
relative to the start, telemetry invented. Names, texts, addresses and ids are replaced
by random ones and amounts are scaled, unless --verbatim. Secrets are left out. The command
sends only GET, and prints at the end what it did to each field.

${renderOptions(captureOptions)}
Exit status
  0  the scenario is written
  2  wrong use, refused credentials, or something that the keys may read could not be
     read: the message names it, and nothing is written without --partial

Examples
  stack-parity capture --target staging.json --out world.json
  stack-parity mock --scenario world.json
`

type CaptureValues = OptionValues<keyof typeof captureOptions>

export const capture: Command<keyof typeof captureOptions> = { options: captureOptions, help, run }

interface Source {
  readonly answers: readonly ReadAnswer[]
  readonly at: number
  readonly redact: (text: string) => string
}

type PlanFor = (forms: ReturnType<typeof formsOf>) => readonly Reading[]

async function run(values: CaptureValues, context: CommandContext): Promise<number> {
  const [out, file, har] = [values.out?.[0], values.target?.[0], values.har?.[0]]
  const families = readFamilies(values.only)
  const capturable = new Set(await context.listCapturable())
  const planFor: PlanFor = forms => planReadings(forms, capturable, families)
  if ((file === undefined) === (har === undefined))
    throw new UsageError('either --target FILE or --har FILE is needed.')
  const target = file === undefined ? undefined : readTarget(file, context.env, values.insecure !== undefined)
  if (values.plan) {
    if (!target) throw new UsageError('--plan prints the requests to --target FILE; --har sends none.')
    context.stdout.write(renderPlan(planFor(formsOf(target))))
    return 0
  }
  if (out === undefined) throw new UsageError('--out FILE is needed: the scenario to write.')
  refuseMissingFolder('--out', out)
  if (resolve(out) === resolve(file ?? har!))
    throw new UsageError(`--out ${out}: this file is read. Choose another name.`)
  const source = target ? await readSource(target, values, planFor, context) : readSourceOfHar(har!, families)
  const { world, treatments } = anonymise(collect(source.answers, capturable), kindsIn(source.answers, capturable), {
    at: source.at,
    redact: source.redact,
    random: below => randomInt(below),
    isVerbatim: values.verbatim !== undefined,
    keepsAmounts: values.verbatim !== undefined || values['keep-amounts'] !== undefined,
  })
  if (treatments.size === 0) throw new UsageError('nothing was found to put into a scenario: nothing is written.')
  writeText('--out', out, renderWorld(world))
  context.stdout.write(renderTreatments(treatments))
  context.stderr.write(`${out} is written. Next: stack-parity mock --scenario ${out}\n`)
  return 0
}

/** The families that are captured; undefined for all. */
function readFamilies(only: readonly string[] | undefined): ReadonlySet<string> | undefined {
  const known = new Set(Object.values(familyOf))
  const unknown = only?.find(name => !known.has(name))
  if (unknown === undefined) return only && new Set(only)
  throw new UsageError(`--only ${unknown}: there is no such family. Choose from ${[...known].sort().join(', ')}.`)
}

const readSourceOfHar = (file: string, families: ReadonlySet<string> | undefined): Source =>
  readJson('--har', file, recording => {
    const har = decodeBodies(recording, readBeside(file))
    const { answers, at } = readRecording(har)
    const selected = answers.filter(({ operation }) => families?.has(familyOf[operation]) ?? true)
    return { answers: selected, at, redact: createHarRedactor(har) }
  })

async function readSource(
  named: TargetFile,
  values: CaptureValues,
  planFor: PlanFor,
  context: CommandContext,
): Promise<Source> {
  const { stderr } = context
  // A deployment may take long for some answers, such as the credits of a large organization.
  const client = createSupertestClient({ timeout: 60_000 })
  const interrupted = new AbortController()
  context.stopped().then(() => interrupted.abort())
  try {
    const { target, failures } = await discover(await recogniseMock(named, client), client, readNumber(values, 'rate'))
    const refused = [...failures].filter(([form]) => form !== 'managed').map(([, why]) => why)
    if (refused.length > 0) throw new UsageError(`${onOneLine(refused.join('; '))}.`)
    const rate = readNumber(values, 'rate') ?? defaultRate(target)
    const progress = showProgress(context)
    const read = await readDeployment({
      readings: planFor(formsOf(target).filter(form => !failures.has(form))),
      target,
      client,
      rate,
      signal: interrupted.signal,
      onLength(count) {
        const requests = count === 1 ? 'request' : 'requests'
        const time = rate === undefined ? '' : ` at ${rate} a second: about ${formatDuration((count / rate) * 1000)}`
        stderr.write(`About ${count} ${requests}${time}, and further ones for the items of their lists.\n`)
      },
      onProgress: (done, total, name) => progress?.(done, total, { name } as Step),
    })
    for (const [refusal, count] of read.refused)
      stderr.write(`Not read: ${refusal}${count > 1 ? `, ${count} times` : ''}.\n`)
    if (read.unread.length > 0) reportUnread(read.unread, values.partial !== undefined, stderr)
    const redactKnown = createRedactor(target)
    redactKnown.learn(read.secrets)
    const redactLikely = createHarRedactor({})
    const redact = (text: string) => redactLikely(redactKnown(text)).replace(secretInProse, '$1[redacted]')
    return { answers: read.answers, at: Date.now(), redact }
  } finally {
    client.close?.()
  }
}

/** A secret in prose, behind its label, such as `password: x`. */
const secretInProse = /\b((?:password|passwd|passphrase|pwd|secret|token|api[ _-]?key)\s*[:=]\s*)[^\s,;]+/gi

const maxReasons = 5

/** @throws UsageError unless `isPartial`. */
function reportUnread(unread: readonly string[], isPartial: boolean, stderr: CommandContext['stderr']): void {
  const reasons = [...new Set(unread)]
  const more = reasons.length > maxReasons ? `, and ${reasons.length - maxReasons} more` : ''
  const list = `${onOneLine(reasons.slice(0, maxReasons).join('; '))}${more}`
  if (!isPartial) throw new UsageError(`${list}. Nothing is written; --partial writes what could be read.`)
  stderr.write(`Left out: ${list}.\n`)
}

/** The collections that were read: the scenario replaces these. */
const kindsIn = (answers: readonly ReadAnswer[], capturable: ReadonlySet<string>): readonly string[] =>
  [...capturable].filter(kind => answers.some(({ operation }) => operation.split('.')[0] === kind))

function renderPlan(readings: readonly Reading[]): string {
  const lines = readings.map(({ template, parent }) => {
    const each = parent ? `, for each ${parent.parameter} of ${parent.reading.operation}` : ''
    return `GET ${template.replace('{segment}', '<segment>')}${each}\n`
  })
  return `${lines.join('')}\nA paged list takes one request for each page, and each list one get, to see whether a get shows more fields. Nothing was sent.\n`
}

/** JSON with a line for each record. */
function renderWorld(world: Anonymised['world']): string {
  const parts = Object.entries(world).map(([name, value]) => {
    const records = Array.isArray(value)
      ? `[\n${value.map(one => JSON.stringify(one)).join(',\n')}\n]`
      : JSON.stringify(value)
    return `${JSON.stringify(name)}: ${records}`
  })
  return `{\n${parts.join(',\n')}\n}\n`
}

const treatmentOrder: readonly Treatment[] = ['kept', 'replaced', 'moved', 'scaled', 'left out']

/** A line for each field: how many of its values were kept, replaced, moved, scaled or left out. */
function renderTreatments(treatments: Anonymised['treatments']): string {
  const rows = [...treatments].toSorted(([a], [b]) => (a < b ? -1 : 1))
  const width = Math.min(60, Math.max(...rows.map(([path]) => path.length)))
  const lines = rows.map(([path, counts]) => {
    const parts = treatmentOrder.flatMap(treatment => (counts[treatment] ? [`${treatment} ${counts[treatment]}`] : []))
    return `${onOneLine(path).padEnd(width)}  ${parts.join(', ')}\n`
  })
  const totals = treatmentOrder.flatMap(treatment => {
    const count = rows.filter(([, counts]) => counts[treatment]).length
    return count > 0 ? [`${count} ${treatment}`] : []
  })
  return `${lines.join('')}\n${rows.length} fields: ${enumerate(totals)}. Look at what is kept before you share the file.\n`
}
