import { existsSync } from 'node:fs'
import type { Client } from '../../engine/clients/client.ts'
import { createSupertestClient } from '../../engine/clients/supertest-client.ts'
import { enumerate } from '../../engine/enumerate.ts'
import { checkTarget } from '../../engine/target/check-target.ts'
import {
  describeUnset,
  findUnencryptedUrl,
  refuseUnencryptedUrl,
  type TargetFile,
  UsageError,
} from '../../engine/target/target.ts'
import { onOneLine } from '../../report/visible.ts'
import { discover, lookAtAddress, lookWithCredentials } from '../../run/discover.ts'
import type { Command, CommandContext } from '../command.ts'
import { refuseMissingFolder, writeText } from '../files.ts'
import { quote } from '../interruption.ts'
import { initOptions, type OptionValues, renderOptions } from '../options.ts'
import { readNumber } from '../values.ts'
import { type AnswerChecks, type Answers, variableIn } from './ask.ts'
import { renderTarget, type SecretNames } from './render-target.ts'

const help = `stack-parity init [options]

Writes a target file. Addresses and credentials are options; at a terminal, init asks for
them. The ids in the file come from lists of the deployment, which init reads by GET only.
Instead of a secret, the file has the name of an environment variable.

${renderOptions(initOptions)}
Exit status
  0  the file was written
  2  wrong use, or a form could not be read: then nothing is written

Examples
  stack-parity init --out staging.json
  stack-parity init --cloud https://api.clickhouse.cloud --key-id ID --key-secret '$KEY_SECRET' --out cloud.json
`

export const init: Command<keyof typeof initOptions> = { options: initOptions, help, run }

async function run(values: OptionValues<keyof typeof initOptions>, context: CommandContext): Promise<number> {
  const out = values.out?.[0]
  if (out !== undefined) {
    refuseMissingFolder('--out', out)
    if (existsSync(out)) throw new UsageError(`--out ${out}: the file exists already. Choose another name.`)
  }
  const options = Object.fromEntries(Object.entries(values).map(([name, texts]) => [name, texts![0]!])) as Answers
  if (options.cloud !== undefined || options['self-hosted'] !== undefined) return writeTarget(options, values, context)
  if (!process.stdin.isTTY || context.env.CI)
    throw new UsageError(
      'an address is needed: --cloud URL, --self-hosted URL, or both. At a terminal, init asks for them.',
    )
  const { ask } = await import('./ask.ts')
  const answers = await ask(options, createChecks(values, context))
  return answers ? writeTarget(answers, values, context) : 2
}

/** Checks each answer with requests that only read: an address without credentials, then its credentials with a first look. */
export function createChecks(
  { insecure }: Pick<OptionValues<keyof typeof initOptions>, 'insecure'>,
  { env }: Pick<CommandContext, 'env'>,
): AnswerChecks {
  const look = async (lookAt: (client: Client) => Promise<string | undefined>) => {
    const client = createSupertestClient()
    try {
      const problem = await lookAt(client)
      return problem && onOneLine(problem)
    } catch (error) {
      if (error instanceof UsageError) return error.message
      throw error
    } finally {
      client.close?.()
    }
  }
  return {
    isSet: variable => Boolean(env[variable]),
    address: (name, address) =>
      look(async client => {
        const { target } = readAnswers({ [name]: address, 'key-id': '-', 'key-secret': '-', 'api-key': '-' }, env)
        if (insecure === undefined) refuseUnencryptedUrl(target, '--insecure')
        return lookAtAddress(target, client)
      }),
    credentials: (name, answers) => {
      const other = name === 'cloud' ? 'self-hosted' : 'cloud'
      return look(async client =>
        lookWithCredentials(readAnswers({ ...answers, [other]: undefined }, env).target, client),
      )
    },
  }
}

/**
 * Reads the deployment and writes its target file.
 * @throws UsageError when the deployment refuses the credentials or cannot be reached.
 */
async function writeTarget(
  answers: Answers,
  values: OptionValues<keyof typeof initOptions>,
  context: CommandContext,
): Promise<number> {
  const out = values.out?.[0]
  const { target, secrets } = readAnswers(answers, context.env)
  if (values.insecure === undefined) refuseUnencryptedUrl(target, '--insecure')
  const client = createSupertestClient()
  const discovery = await discover(target, client, readNumber(values, 'rate')).finally(() => client.close?.())
  const refused = [...discovery.failures].filter(([form]) => form !== 'managed')
  if (refused.length > 0) throw new UsageError(`${onOneLine(refused.map(([, why]) => why).join('; '))}.`)
  const managed = discovery.failures.get('managed')
  const remarks = managed ? [`Left out: the managed form. ${onOneLine(managed)}.`] : []
  const text = renderTarget(discovery.target, secrets, remarks)
  if (out === undefined) context.stdout.write(text)
  else writeText('--out', out, text)
  context.stderr.write(describeResult(out, discovery.target, secrets, discovery.requests))
  return 0
}

/** By option: the field of the secret in the target file, and its environment variable unless the option names another. */
const secretFields = {
  'key-secret': ['cloud.keySecret', 'CLOUD_KEY_SECRET'],
  'api-key': ['selfHosted.apiKey', 'OSS_API_KEY'],
  'ingestion-key': ['selfHosted.ingestionKey', 'OSS_INGESTION_KEY'],
} as const

/** The options that are required with an address, and their fields in the target file. */
const requiredOptions = [
  ['cloud', 'key-id', 'cloud.keyId'],
  ['cloud', 'key-secret', 'cloud.keySecret'],
  ['self-hosted', 'api-key', 'selfHosted.apiKey'],
] as const

function readAnswers(answers: Answers, env: CommandContext['env']): { target: TargetFile; secrets: SecretNames } {
  const names: Record<string, string> = {}
  const unset: [place: string, variable: string][] = []
  const secretOf = (option: keyof typeof secretFields): string | undefined => {
    const value = answers[option]
    if (value === undefined || value === '') return undefined
    const [field, defaultVariable] = secretFields[option]
    const name = variableIn(value)
    names[field] = `$${name ?? defaultVariable}`
    if (name !== undefined && !env[name]) unset.push([`--${option}`, name])
    return name === undefined ? value : env[name]
  }
  const { name, segment } = answers
  const [cloud, selfHosted] = [withoutPrefix(answers.cloud, '/v1'), withoutPrefix(answers['self-hosted'], '/api/v2')]
  const missing = requiredOptions.filter(([api, option]) => answers[api] && !answers[option])
  if (missing.length > 0) {
    const fields = enumerate(missing.map(([, , field]) => `\`${field}\``))
    const verb = missing.length === 1 ? 'is' : 'are'
    throw new UsageError(`${fields} ${verb} missing. Add ${enumerate(missing.map(([, option]) => `--${option}`))}.`)
  }
  const [keySecret, apiKey, ingestionKey] = [secretOf('key-secret'), secretOf('api-key'), secretOf('ingestion-key')]
  if (unset.length > 0) throw new UsageError(describeUnset(unset))
  const target = checkTarget({
    name: name ?? new URL(checkUrl(cloud ?? selfHosted ?? '')).host,
    ...(cloud && {
      cloud: { baseUrl: cloud, keyId: answers['key-id'], keySecret, observabilitySegment: segment },
    }),
    ...(selfHosted && { selfHosted: { baseUrl: selfHosted, apiKey, ingestionKey } }),
  })
  return { target, secrets: names }
}

/** An address without the path that every path of its form begins with, as it may be copied from a document. */
const withoutPrefix = (address: string | undefined, prefix: string): string | undefined => {
  const base = address?.replace(/\/+$/, '')
  return base?.endsWith(prefix) ? base.slice(0, -prefix.length) : base
}

function checkUrl(address: string): string {
  if (URL.canParse(address)) return address
  throw new UsageError('the address must begin with http:// or https://.')
}

/** The hosts of the real cloud, for which the package ships a list of known-broken rules. */
const REAL_CLOUD = /(?:^|\.)clickhouse\.cloud$/i

/** The command line of a first run on a target. */
export function suggestVerify(target: TargetFile, out = 'FILE'): string {
  const isRealCloud = REAL_CLOUD.test(new URL(target.cloud?.baseUrl ?? 'http://none.invalid').hostname)
  const options = [
    '--read-only',
    ...(isRealCloud ? ['--known-broken clickhouse-cloud'] : []),
    ...(findUnencryptedUrl(target) ? ['--insecure'] : []),
  ]
  return `stack-parity verify --target ${quote(out)} ${options.join(' ')}`
}

function describeResult(out: string | undefined, target: TargetFile, secrets: SecretNames, requests: number): string {
  const names = Object.values(secrets).map(name => name.slice(1))
  return [
    `Read the deployment by ${requests} requests, and wrote ${out ?? 'the target file'}.`,
    ...(names.length > 0 ? [`Set ${names.join(', ')} before a run.`] : []),
    `Next: ${suggestVerify(target, out)}`,
    '',
  ].join('\n')
}
