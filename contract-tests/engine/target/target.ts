import stripComments from 'strip-json-comments'
import { loopbackHost } from '../../../fixtures/targets/loopback.ts'
import { enumerate } from '../enumerate.ts'
import { isObject } from '../recognise.ts'
import { checkTarget } from './check-target.ts'
import { isMock } from './own-mock.ts'

/** Wrong use: the command prints the message and exits with status 2. */
export class UsageError extends Error {}

/** The target file: where a deployment is, and what of it may be used. It has `cloud`, `selfHosted` or both. */
export interface TargetFile {
  readonly name?: string
  readonly cloud?: {
    readonly baseUrl: string
    readonly keyId: string
    readonly keySecret: string
    readonly organizationId?: string
    readonly secondOrganizationId?: string
    readonly secondKeyId?: string
    readonly secondKeySecret?: string
    readonly serviceId?: string
    readonly backupId?: string
    readonly observabilitySegment?: string
    readonly references?: References
  }
  readonly selfHosted?: {
    readonly baseUrl: string
    readonly apiKey: string
    readonly ingestionKey?: string
    readonly references?: References
  }
  /** The world of our mock, if it is not the first one. */
  readonly id?: string
  /** The control plane of our mock. */
  readonly control?: { readonly baseUrl: string }
  /** Where services answer SQL (the password determines the service), and the file of the certificate authority. */
  readonly sql?: { readonly host: string; readonly port: number; readonly ca?: string }
  /** The files of certificates, in PEM: of an authority to trust besides the usual ones, and of the client with its key. */
  readonly tls?: Tls
  /** Headers for a gateway, sent with every request to this deployment, and to it alone. */
  readonly headers?: Readonly<Record<string, string>>
  /** The receiver of webhooks: where the run listens, and the address by which the deployment reaches it. */
  readonly receiver?: { readonly listen: string; readonly url: string }
  /** Allows or forbids requests that write; without it, a run reads a deployment, and writes to a mock of ours. */
  readonly writes?: boolean
  /** Forms such as `managed` and operations such as `backup.get` that are not judged. */
  readonly notOffered?: readonly string[]
}

export interface Tls {
  readonly ca?: string
  readonly cert?: string
  readonly key?: string
}

export interface References {
  readonly dashboardId?: string
  readonly tileId?: string
  readonly webhookId?: string
  readonly sourceId?: string
  readonly connectionId?: string
  readonly sources?: Readonly<Record<string, string>>
}

/**
 * Reads the text of a target file; a value `$NAME` is taken from the environment.
 * @throws UsageError with a sentence that names the place and what to do.
 */
export function parseTarget(text: string, environment: Readonly<Record<string, string | undefined>>): TargetFile {
  const names = new Map<string, string>()
  const unset: [place: string, variable: string][] = []
  const substituted = substitute(readJsonText(text), '', (place, variable) => {
    const found = environment[variable]
    if (found) names.set(place, variable)
    else unset.push([`\`${place}\``, variable])
    return found
  })
  if (unset.length > 0) throw new UsageError(describeUnset(unset))
  const target = checkTarget(substituted)
  const [before, isForbidden] = stripComments(text).split(/"writes"\s*:\s*false/)
  const lineOfWrites = isForbidden === undefined ? undefined : before!.split('\n').length
  return { ...target, [hidden]: { variables: names, lineOfWrites } } as TargetFile
}

/** What is known of the text of a target file. Copies made by spreading keep it. */
const hidden = Symbol('of the text')

interface OfText {
  /** Environment variables by places such as `cloud.keySecret`. */
  readonly variables?: ReadonlyMap<string, string>
  readonly lineOfWrites?: number | undefined
}

const hiddenOf = (target: TargetFile): OfText => (target as { readonly [hidden]?: OfText })[hidden] ?? {}

/** Where a user finds the value at a place such as `cloud.keySecret`: its variable as `$NAME`, else the place. */
export const variableOrField = (target: TargetFile, path: string): string => {
  const name = hiddenOf(target).variables?.get(path)
  return name === undefined ? path : `$${name}`
}

/**
 * Reads a file of JSON, which may have comments and trailing commas.
 * @throws UsageError with a sentence that quotes nothing from the file.
 */
export function readJsonText(text: string): unknown {
  // Some editors and recorders write a byte order mark.
  const json = text.replace(/^\uFEFF/, '')
  if (json.trim() === '') throw new UsageError('it is empty; if a mock writes it, the mock has not started yet.')
  try {
    return JSON.parse(stripComments(json, { trailingCommas: true }))
  } catch (error) {
    throw new UsageError(`it is not JSON (${withoutQuote((error as Error).message, json)}).`)
  }
}

/** The message of JSON.parse with the line, and without quoted text, which may be a secret. */
function withoutQuote(sentence: string, json: string): string {
  const mistake = sentence.replace(/,? ?(\.\.\.)?"[\s\S]*$/, '').replace(/ \(line.*/, '')
  const position = /at position (\d+)$/.exec(mistake)?.[1]
  if (position === undefined) return mistake || 'it does not begin as JSON does'
  return `${mistake}, line ${json.slice(0, Number(position)).split('\n').length}`
}

/** The secrets that must never be printed. Texts of up to three characters would match everywhere. */
export function secretsOf(target: TargetFile): readonly string[] {
  const { cloud, selfHosted, headers = {} } = target
  const secrets = [
    cloud?.keySecret,
    cloud?.secondKeySecret,
    selfHosted?.apiKey,
    selfHosted?.ingestionKey,
    ...Object.values(headers),
  ]
  return secrets.filter((secret): secret is string => !!secret && secret.length > 3)
}

const isLoopback = (url: string): boolean => loopbackHost.test(new URL(url).hostname)

export const basesOf = ({ cloud, selfHosted }: TargetFile): readonly string[] =>
  [cloud?.baseUrl, selfHosted?.baseUrl].filter(url => url !== undefined)

export const isOnLoopback = (target: TargetFile): boolean => basesOf(target).every(isLoopback)

/** Requests per second by default: no limit on a mock of ours, else below the documented one. */
export const defaultRate = (target: TargetFile): number | undefined => (isMock(target) ? undefined : 0.9)

/** @throws UsageError that names the line, if the target file forbids the writes that `option` asks for. */
export function refuseForbiddenWrites(target: TargetFile, option: string): void {
  if (target.writes !== false) return
  const line = hiddenOf(target).lineOfWrites
  throw new UsageError(
    `\`"writes": false\`${line === undefined ? '' : ` in line ${line}`} of the target file forbids ${option}. Remove it, if the deployment may be written to.`,
  )
}

/** The address to which credentials would be sent unencrypted. */
export const findUnencryptedUrl = (target: TargetFile): string | undefined =>
  basesOf(target).find(url => /^http:/i.test(url) && !isLoopback(url))

/**
 * Refuses a target whose credentials would cross a network in the clear.
 * @throws UsageError with a sentence that ends with how to allow it.
 */
export function refuseUnencryptedUrl(target: TargetFile, allow: string): void {
  const url = findUnencryptedUrl(target)
  if (url)
    throw new UsageError(`${url} would get the credentials unencrypted. Use https:, or ${allow} if that is meant.`)
}

/** Names all variables that are not set at once, each with the place that names it. */
export function describeUnset(unset: readonly (readonly [place: string, variable: string])[]): string {
  const [[place, variable]] = unset as [readonly [string, string]]
  if (unset.length === 1) return `${place}: the environment variable ${variable} is not set.`
  const all = unset.map(([place, variable]) => `${variable} (${place})`)
  return `the environment variables ${enumerate(all)} are not set.`
}

/** Replaces each text `$NAME` of a value by what `lookUp` returns for its place and its name. */
function substitute(
  value: unknown,
  path: string,
  lookUp: (place: string, variable: string) => string | undefined,
): unknown {
  if (typeof value === 'string' && /^\$[A-Za-z_]\w*$/.test(value)) return lookUp(path, value.slice(1))
  if (Array.isArray(value)) return value.map((item, index) => substitute(item, `${path}.${index}`, lookUp))
  if (!isObject(value)) return value
  const entries = Object.entries(value).map(([key, item]) => [
    key,
    substitute(item, path ? `${path}.${key}` : key, lookUp),
  ])
  return Object.fromEntries(entries)
}
