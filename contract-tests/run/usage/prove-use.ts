import type { Usage, UsageExample } from '../../../fixtures/usage.ts'
import type { Incoming } from '../../engine/clients/client.ts'
import { parseJson } from '../../engine/exchange.ts'
import { isObject } from '../../engine/recognise.ts'
import { isSecretName, REDACTED } from '../../engine/redact.ts'
import { partsOf } from '../../report/document-drift.ts'
import type { Drift, DriftProof, DriftUse, Proof } from '../../report/report.ts'
import { shorten } from '../../report/visible.ts'
import type { DocumentOperation } from '../document/read-document.ts'
import { arrangeRequests, type ProofMock } from './arrange-request.ts'
import { shapeOfPath } from './judge-use.ts'

const MAX_BODY_CHARACTERS = 2000

/** Mocks of the older and of the newer document. */
export interface ProofMocks {
  readonly was: ProofMock
  readonly is: ProofMock
}

/** A recorded request that the older mock accepted, and both answers. */
interface Sent {
  readonly operation: string
  readonly method: string
  /** The operation's method and path without the names of parameters. */
  readonly key: string
  readonly request: DriftProof['request']
  readonly example: UsageExample
  readonly was: Incoming
  readonly is: Incoming
  /** What stands at each place of the answers, such as `$.result[].name`. */
  readonly before: Places
  readonly after: Places
  /** The places that the program read and that the newer answer lacks. */
  readonly lost: readonly string[]
}

/**
 * Sends each recorded request of operations of the older document to both mocks, and adds to each breaking difference that
 * touches one what shows it. `unexpected` are the others that are refused now, or whose answers lost what the program reads.
 */
export async function proveUse(
  drift: readonly Drift[],
  { operations }: Usage,
  documented: readonly DocumentOperation[],
  mocks: ProofMocks,
): Promise<{ readonly drift: readonly Drift[]; readonly proof: Proof }> {
  const shapes = new Map(documented.map(({ method, path, shape }) => [`${method} ${path}`, `${method} ${shape}`]))
  const known = new Set(shapes.values())
  const all: Sent[] = []
  const tried = new Map<string, string>()
  let refused = 0
  let requests = 0
  for (const [name, usage] of Object.entries(operations)) {
    const [method = '', path = ''] = name.split(' ')
    const key = shapeOfPath(name)
    if (!known.has(key)) continue
    const { id = name, ignored = [], examples = [], parameters, fields } = usage
    // A request without query and body is no example, and one that was refused as invalid does not count.
    const isBare =
      usage.count > 0 && !fields?.$ && Object.values(parameters ?? {}).every(one => one.count < usage.count)
    const lacking = drift.flatMap(one => examplesWithout(one, key, shapes, examples))
    for (const example of [...(isBare ? [{}] : []), ...examples, ...lacking]) {
      requests++
      const answers = await sendToBoth(mocks, method, path, example)
      if (typeof answers === 'string') {
        refused++
        tried.set(key, answers)
        continue
      }
      const [before, after] = [placesOf(answers.was.text), placesOf(answers.is.text)]
      const isRead = (place: string) => !ignored.some(one => isWithin(place, one))
      const lost = isRefusal(answers.is)
        ? []
        : [...before.keys()].filter(place => isLost(place, after) && isRead(place))
      all.push({ operation: id, method, key, example, ...answers, before, after, lost })
    }
  }
  const explained = new Set<Sent>()
  const proveOne = (one: Drift, use: DriftUse): DriftUse => {
    const key = shapes.get(`${use.method} ${use.path}`)
    const sent = all.filter(other => other.key === key)
    for (const other of sent) if (explains(one, use, other)) explained.add(other)
    const shown = sent.filter(other => shows(one, use, other))
    // Of several changes of a request, the refusal names the one that it is for.
    const first = shown.find(other => isNamed(use, other)) ?? (isAlone(one, use) ? shown[0] : undefined)
    if (first) return { ...use, proof: describeProof(first) }
    const [refused] = shown
    const why = refused ? `the refusal names another change: ${excerpt(refused.is)}` : whyNot(one, use, sent)
    return { ...use, unproven: sent.length > 0 ? why : (tried.get(key ?? '') ?? 'no request of it could be made') }
  }
  const isAlone = (one: Drift, { path, method }: DriftUse) =>
    partsOf(one).side === 'answer' ||
    !drift.some(
      other =>
        other !== one &&
        other.kind === 'breaking' &&
        partsOf(other).side !== 'answer' &&
        other.usedBy?.some(use => use.path === path && use.method === method),
    )
  const proven = drift.map(one =>
    one.kind === 'breaking' && one.usedBy ? { ...one, usedBy: one.usedBy.map(use => proveOne(one, use)) } : one,
  )
  const unexpected = all.filter(one => (isRefusal(one.is) || one.lost.length > 0) && !explained.has(one))
  return {
    drift: proven,
    proof: {
      requests,
      refused,
      unexpected: unexpected.map(describeProof),
      start: mocks.is.start,
    },
  }
}

/** Examples have as many fields as possible: one without a field that is required now, where calls omit it. */
function examplesWithout(
  one: Drift,
  key: string,
  shapes: ReadonlyMap<string, string>,
  examples: readonly UsageExample[],
): readonly UsageExample[] {
  if (one.kind !== 'breaking' || partsOf(one).what !== 'required') return []
  const own = (one.usedBy ?? []).filter(({ method, path }) => shapes.get(`${method} ${path}`) === key)
  return own.flatMap(({ at = '' }) => {
    const names = at.split('.').slice(1)
    const last = names.pop()
    const body = structuredClone(examples.find(example => hasPlace(example, at))?.body)
    const holder = names.reduce<unknown>((value, name) => (isObject(value) ? value[name] : undefined), body)
    return isObject(holder) && Reflect.deleteProperty(holder, last ?? '') ? [{ body }] : []
  })
}

const isRefusal = ({ status }: Incoming) => status >= 400

/** The first of the possible requests that the older mock accepts, and both answers; else why it accepts none. */
async function sendToBoth({ was, is }: ProofMocks, method: string, path: string, example: UsageExample) {
  let why = 'its path names a record that the world of the mock has not'
  was.reset()
  for await (const arranged of arrangeRequests(was, path, example)) {
    const sent = { method, path: arranged.path, ...(arranged.body !== undefined && { body: arranged.body }) }
    const old = await was.send(sent)
    if (isRefusal(old)) {
      why = `the mock of the older document refuses the recorded request, whose texts are generated: ${excerpt(old)}`
      was.reset()
      continue
    }
    is.reset()
    return { request: { ...arranged, body: arranged.body ?? null }, was: old, is: await is.send(sent) }
  }
  return why
}

/** Whether the difference of two answers may be due to a change. */
function explains(one: Drift, { at }: DriftUse, { is, lost }: Sent): boolean {
  const { side } = partsOf(one)
  if (side !== 'answer') return isRefusal(is)
  return at !== undefined && lost.some(place => isWithin(place, at) || isWithin(at, place))
}

function shows(one: Drift, use: DriftUse, sent: Sent): boolean {
  const { at } = use
  const { side, what } = partsOf(one)
  if (side === 'answer') {
    if (isRefusal(sent.is) || at === undefined) return false
    const [old, now] = [at, at].map((path, index) => [sent.before, sent.after][index]!.get(path))
    if (what === 'gone') return old !== undefined && now === undefined && isLost(at, sent.after)
    return what === 'type'
      ? now !== undefined && old?.types !== now.types
      : what === 'null'
        ? /null/.test(now?.types ?? '')
        : false
  }
  if (!isRefusal(sent.is)) return false
  if (at === undefined || at === '$' || at.startsWith('path.')) return true
  const isSent = hasPlace(sent.example, at)
  return /^(?:new-)?required$/.test(what) ? !isSent || at.includes('[]') || at.includes('*') : isSent
}

/** Whether the refusal names the field of the change: another change may be refused first. */
const isNamed = ({ at = '' }: DriftUse, { is }: Sent) => is.text.includes(at.replace(/^.*[.]|\[\]$/g, ''))

function hasPlace({ query = '', body }: UsageExample, at: string): boolean {
  if (at.startsWith('query.')) return new URLSearchParams(query).has(at.slice('query.'.length))
  const pattern = new RegExp(`^${at.replace(/[.$[\]]/g, '\\$&').replaceAll('*', '[^.]+')}$`)
  return [...placesOf(JSON.stringify(body ?? null)).keys()].some(place => pattern.test(place))
}

function whyNot(one: Drift, { at = '' }: DriftUse, sent: readonly Sent[]): string {
  if (partsOf(one).side !== 'answer') return 'the mock of the newer document accepts what the recorded requests send'
  return sent.some(({ before, after }) => before.has(at) || after.has(at))
    ? 'the answers of both mocks are alike there'
    : 'no answer of the mocks has this field'
}

const describeProof = ({ operation, method, request, was, is, lost }: Sent): DriftProof => ({
  operation,
  method,
  request,
  was: describeAnswer(was),
  is: describeAnswer(is),
  lost,
})

/** An answer on one line. Secrets of the mock protect nothing, but a report has none. */
function describeAnswer({ status, text }: Incoming) {
  const json = parseJson(text)
  const hide = (name: string, value: unknown) => (typeof value === 'string' && isSecretName(name) ? REDACTED : value)
  const body =
    json === undefined
      ? text
          .replace(/<[^>]*>|\s+/g, ' ')
          .replace(/ +/g, ' ')
          .trim()
      : JSON.stringify(json, hide)
  return { status, body: shorten(body, MAX_BODY_CHARACTERS) }
}

type Places = ReadonlyMap<string, { readonly types: string }>

/** The places of an answer that is JSON, with the types that stand there. */
function placesOf(text: string): Places {
  const types = new Map<string, Set<string>>()
  const visit = (value: unknown, path: string) => {
    const type = Array.isArray(value) ? 'array' : value === null ? 'null' : typeof value
    types.set(path, (types.get(path) ?? new Set()).add(type))
    if (Array.isArray(value)) for (const item of value) visit(item, `${path}[]`)
    else if (isObject(value)) for (const [name, item] of Object.entries(value)) visit(item, `${path}.${name}`)
  }
  const json = parseJson(text)
  if (json !== undefined) visit(json, '$')
  return new Map([...types].map(([path, all]) => [path, { types: [...all].sort().join(' | ') }]))
}

/** Whether a place is missing, and not only because what contains it is. */
const isLost = (place: string, after: Places) =>
  !after.has(place) && after.has(place.replace(/(?:\[\]|\.[^.[]*)$/, '')) && !place.endsWith('[]')

const isWithin = (place: string, outer: string) =>
  place === outer || (place.startsWith(outer) && /^[.[]/.test(place.slice(outer.length)))

function excerpt(answer: Incoming): string {
  const { status, body } = describeAnswer(answer)
  return `${status} ${shorten(body, 200)}`
}
