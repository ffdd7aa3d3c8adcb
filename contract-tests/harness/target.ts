import type { Form } from '../../fixtures/contract/index.ts'

/** The target file: where a deployment is, and what of it may be named. Every part may be left out. */
export interface TargetFile {
  readonly name?: string
  readonly cloud?: CloudTarget
  readonly selfHosted?: SelfHostedTarget
  /** The control plane; present for our mock only. */
  readonly control?: { readonly baseUrl: string }
  /** Allows requests that write, on a deployment that is not on loopback. */
  readonly writes?: boolean
}

export interface CloudTarget {
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

export interface SelfHostedTarget {
  readonly baseUrl: string
  readonly apiKey: string
  readonly ingestionKey?: string
  readonly references?: References
}

export interface References {
  readonly dashboardId?: string
  readonly tileId?: string
  readonly webhookId?: string
  readonly sourceId?: string
  readonly connectionId?: string
  readonly sources?: Readonly<Record<string, string>>
}

/** What the user gave cannot be used: the command says the sentence and exits with status 2. */
export class UsageError extends Error {}

const known = {
  // `id` is that of a world of its own, which the control plane answers beside its target.
  '': ['name', 'cloud', 'selfHosted', 'control', 'writes', 'id', '$schema'],
  cloud: [
    'baseUrl',
    'keyId',
    'keySecret',
    'organizationId',
    'secondOrganizationId',
    'secondKeyId',
    'secondKeySecret',
    'serviceId',
    'backupId',
    'observabilitySegment',
    'references',
  ],
  selfHosted: ['baseUrl', 'apiKey', 'ingestionKey', 'references'],
} as const

/**
 * Reads the text of a target file; a value `$NAME` is taken from the environment.
 * @throws UsageError with a sentence that names the place and what to do.
 */
export function parseTarget(text: string, environment: Readonly<Record<string, string | undefined>>): TargetFile {
  const resolved = resolve(readJsonText(text), environment, '')
  if (!isRecord(resolved)) throw new UsageError('it must be a JSON object with `cloud`, `selfHosted` or both.')
  const file = resolved as TargetFile
  for (const [part, keys] of Object.entries(known)) {
    const holder = part === '' ? resolved : resolved[part]
    if (holder === undefined) continue
    if (!isRecord(holder)) throw new UsageError(`\`${part}\` must be an object.`)
    const stranger = Object.keys(holder).find(key => !(keys as readonly string[]).includes(key))
    if (stranger)
      throw new UsageError(
        `\`${[part, stranger].filter(Boolean).join('.')}\` is not known; known are ${keys.join(', ')}.`,
      )
  }
  if (!file.cloud && !file.selfHosted)
    throw new UsageError('it names neither `cloud` nor `selfHosted`: there is nothing to verify.')
  if (file.cloud) requireStrings('cloud', file.cloud, ['baseUrl', 'keyId', 'keySecret'])
  if (file.selfHosted) requireStrings('selfHosted', file.selfHosted, ['baseUrl', 'apiKey'])
  const addresses = [
    ['cloud', file.cloud?.baseUrl],
    ['selfHosted', file.selfHosted?.baseUrl],
    ['control', file.control?.baseUrl],
  ] as const
  for (const [part, baseUrl] of addresses) {
    if (baseUrl !== undefined && !/^https?:\/\/[^/\s]/.test(baseUrl)) {
      throw new UsageError(`\`${part}.baseUrl\` is ${JSON.stringify(baseUrl)}: it must begin with http:// or https://.`)
    }
  }
  return file
}

/**
 * Reads a file of JSON.
 * @throws UsageError with a sentence that quotes nothing of it.
 */
export function readJsonText(text: string): unknown {
  // A byte order mark is how some editors and recorders begin.
  const json = text.replace(/^\uFEFF/, '')
  if (json.trim() === '') throw new UsageError('it is empty; if a mock is to write it, that has not started yet.')
  try {
    return JSON.parse(json)
  } catch (error) {
    throw new UsageError(`it is not JSON (${withoutQuote((error as Error).message, json)}).`)
  }
}

/** What an engine says of a mistake, without the text around it, which may be a secret; with the line where it tells the place. */
function withoutQuote(says: string, json: string): string {
  const mistake = says.replace(/,? ?(\.\.\.)?"[\s\S]*$/, '').replace(/ \(line.*/, '')
  const position = /at position (\d+)$/.exec(mistake)?.[1]
  if (position === undefined) return mistake || 'it does not begin as JSON does'
  return `${mistake}, line ${json.slice(0, Number(position)).split('\n').length}`
}

/** The forms that a target has; the managed form needs an organization and a service. */
export function formsOf(target: TargetFile): readonly Form[] {
  const forms: Form[] = []
  if (target.cloud) forms.push('cloud')
  if (target.cloud?.organizationId && target.cloud.serviceId) forms.push('managed')
  if (target.selfHosted) forms.push('selfHosted')
  return forms
}

/** All secrets of a target, longest first: what must never be printed. */
export function secretsOf(target: TargetFile): readonly string[] {
  const { cloud, selfHosted } = target
  const secrets = [cloud?.keySecret, cloud?.secondKeySecret, selfHosted?.apiKey, selfHosted?.ingestionKey]
  return secrets.filter((secret): secret is string => !!secret && secret.length > 3).sort((a, b) => b.length - a.length)
}

export function isLoopback(url: string): boolean {
  const host = new URL(url).hostname.replace(/^\[|\]$/g, '')
  return host === 'localhost' || host.endsWith('.localhost') || host === '::1' || /^127\.\d+\.\d+\.\d+$/.test(host)
}

function resolve(value: unknown, environment: Readonly<Record<string, string | undefined>>, path: string): unknown {
  if (typeof value === 'string' && /^\$[A-Za-z_]\w*$/.test(value)) {
    const found = environment[value.slice(1)]
    if (found === undefined || found === '') {
      throw new UsageError(`\`${path}\` is to be read from the environment, but ${value.slice(1)} is not set there.`)
    }
    return found
  }
  if (Array.isArray(value)) return value.map((item, index) => resolve(item, environment, `${path}.${index}`))
  if (isRecord(value)) {
    return Object.fromEntries(
      Object.entries(value).map(([key, item]) => [key, resolve(item, environment, path ? `${path}.${key}` : key)]),
    )
  }
  return value
}

function requireStrings(part: string, holder: object, keys: readonly string[]): void {
  for (const key of keys) {
    const value = (holder as Record<string, unknown>)[key]
    if (typeof value !== 'string' || value === '') throw new UsageError(`\`${part}.${key}\` is missing.`)
  }
}

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
