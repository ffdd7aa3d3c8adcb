import { operations } from '../../../fixtures/built-contract/index.ts'
import { isObject } from '../recognise.ts'
import { everyForm, formsOf } from './forms-of.ts'
import { nearest } from './nearest.ts'
import type { TargetFile } from './target.ts'
import { UsageError } from './target.ts'

/** Refuses mistakes in a target file before anything is sent. No message quotes a value that may be secret. */

const references = {
  dashboardId: checkText,
  tileId: checkText,
  webhookId: checkText,
  sourceId: checkText,
  connectionId: checkText,
  sources: checkTexts,
} as const

const shape = {
  name: checkText,
  cloud: {
    baseUrl: checkText,
    keyId: checkText,
    keySecret: checkText,
    organizationId: checkText,
    secondOrganizationId: checkText,
    secondKeyId: checkText,
    secondKeySecret: checkText,
    serviceId: checkText,
    backupId: checkText,
    observabilitySegment: checkText,
    references,
  },
  selfHosted: { baseUrl: checkText, apiKey: checkText, ingestionKey: checkText, references },
  control: { baseUrl: checkText },
  sql: { host: checkText, port: checkPort, ca: checkText },
  tls: { ca: checkText, cert: checkText, key: checkText },
  headers: checkHeaders,
  receiver: { listen: checkListen, url: checkUrl },
  writes: checkBoolean,
  notOffered: checkNotOffered,
  // The control plane adds the id of the world, and what it left out of a scenario, to the target that it answers.
  id: checkText,
  leftOut: () => {},
  $schema: checkText,
} as const

type Shape = ((value: unknown, path: string) => void) | { readonly [key: string]: Shape }

const formsAndOperations: readonly string[] = [...everyForm, ...Object.keys(operations)]

const requiredParts = '`cloud` with baseUrl, keyId and keySecret, `selfHosted` with baseUrl and apiKey, or both'

/** @throws UsageError with a sentence that names the place and what to do. */
export function checkTarget(value: unknown): TargetFile {
  if (!isObject(value)) throw new UsageError(`it must be a JSON object with ${requiredParts}.`)
  checkShape(value, shape, '')
  const file = withoutEmpty(value) as TargetFile
  const { cloud, selfHosted, control } = file
  if (!cloud && !selfHosted)
    throw new UsageError(
      `it names neither \`cloud\` nor \`selfHosted\`: there is nothing to verify. It needs ${requiredParts}.`,
    )
  requireFields('cloud', cloud, ['baseUrl', 'keyId', 'keySecret'])
  requireFields('selfHosted', selfHosted, ['baseUrl', 'apiKey'])
  requireFields('control', control, ['baseUrl'])
  requireFields('sql', file.sql, ['host', 'port'])
  requireFields('receiver', file.receiver, ['listen', 'url'])
  if ((file.tls?.cert === undefined) !== (file.tls?.key === undefined))
    throw new UsageError('`tls.cert` and `tls.key` belong together: name both files, or neither.')
  checkAddress('cloud', cloud, '/v1')
  checkAddress('selfHosted', selfHosted, '/api/v2')
  checkAddress('control', control)
  checkCredentials('cloud', cloud, ['keyId', 'keySecret', 'secondKeyId', 'secondKeySecret'])
  checkCredentials('selfHosted', selfHosted, ['apiKey', 'ingestionKey'])
  if (formsOf(file).length === 0)
    throw new UsageError('`notOffered` lists every form of the target: there is nothing to verify.')
  return file
}

/** A mock writes an empty text for what its world does not have. */
const withoutEmpty = (value: object): object =>
  Object.fromEntries(
    Object.entries(value)
      .filter(([, item]) => item !== '')
      .map(([key, item]) => [key, isObject(item) ? withoutEmpty(item) : item]),
  )

/**
 * Refuses a target that was read by JSON.parse alone, so that its secrets are still names of variables.
 * @throws UsageError with a sentence that says what to use.
 */
export function refuseVariableNames(value: unknown, path = ''): void {
  if (typeof value === 'string' && /^\$[A-Z_][A-Z0-9_]*$/.test(value))
    throw new UsageError(
      `\`${path}\` is ${value}, a name that was not looked up in the environment: read the target file with parseTarget(text, process.env).`,
    )
  if (!isObject(value)) return
  for (const [key, item] of Object.entries(value)) refuseVariableNames(item, path ? `${path}.${key}` : key)
}

function checkShape(value: unknown, expected: Shape, path: string): void {
  if (typeof expected === 'function') {
    expected(value, path)
    return
  }
  if (!isObject(value)) throw new UsageError(`\`${path}\` must be an object.`)
  for (const [key, item] of Object.entries(value)) {
    const place = path ? `${path}.${key}` : key
    if (!Object.hasOwn(expected, key))
      throw new UsageError(`\`${place}\` is not known; known are ${Object.keys(expected).join(', ')}.`)
    if (item !== undefined) checkShape(item, expected[key]!, place)
  }
}

function checkTexts(value: unknown, path: string): void {
  if (!isObject(value)) throw new UsageError(`\`${path}\` must be an object of texts.`)
  for (const [key, item] of Object.entries(value)) checkText(item, `${path}.${key}`)
}

/** Headers that the suite writes itself, and those that frame a message or belong to its connection. */
const ownHeaders =
  /^(?:authorization|proxy-.*|host|content-length|transfer-encoding|connection|keep-alive|te|trailer|upgrade|expect)$/i

function checkHeaders(value: unknown, path: string): void {
  checkTexts(value, path)
  for (const [name, text] of Object.entries(value as Readonly<Record<string, string>>)) {
    const place = `\`${path}.${name}\``
    if (!/^[\w!#$%&'*+.^`|~-]+$/.test(name)) throw new UsageError(`${place} is no name of a header.`)
    if (ownHeaders.test(name))
      throw new UsageError(`${place} cannot be set: credentials have fields of their own, and the rest is up to HTTP.`)
    checkHeaderValue(place, text)
  }
}

function checkBoolean(value: unknown, path: string): void {
  if (typeof value !== 'boolean') throw new UsageError(`\`${path}\` must be true or false, without quotes.`)
}

function checkPort(value: unknown, path: string): void {
  if (!Number.isInteger(value) || Number(value) < 1 || Number(value) > 65_535)
    throw new UsageError(`\`${path}\` must be the number of a port, without quotes.`)
}

function checkListen(value: unknown, path: string): void {
  if (typeof value !== 'string' || !/^(?:[\w.-]+|\[[\da-f:]+\]):\d{1,5}$/i.test(value))
    throw new UsageError(`\`${path}\` must be an address and a port of this machine, such as "127.0.0.1:9009".`)
}

function checkUrl(value: unknown, path: string): void {
  if (typeof value !== 'string' || !/^https?:\/\/[^/\s]/.test(value) || !URL.canParse(value))
    throw new UsageError(`\`${path}\` must be the address of the receiver, beginning with http:// or https://.`)
}

function checkNotOffered(value: unknown, path: string): void {
  if (!Array.isArray(value)) throw new UsageError(`\`${path}\` must be a list of forms and operations.`)
  for (const entry of value) {
    if (formsAndOperations.includes(entry)) continue
    const near = typeof entry === 'string' ? nearest(entry, formsAndOperations) : undefined
    const advice = near ? `did you mean ${JSON.stringify(near)}?` : `known are ${formsAndOperations.join(', ')}.`
    throw new UsageError(`\`${path}\` names ${JSON.stringify(entry)}, which is no form and no operation; ${advice}`)
  }
}

function checkText(value: unknown, path: string): void {
  if (typeof value !== 'string') throw new UsageError(`\`${path}\` must be a text in quotes.`)
  if (path !== 'name' && /^(?:<.*>|\.\.\.|…)$/s.test(value.trim()))
    throw new UsageError(`\`${path}\` is still a placeholder: fill it in, or leave it out if it is optional.`)
}

function requireFields<Part extends object>(name: string, part: Part | undefined, keys: (keyof Part & string)[]): void {
  const missing = keys.find(key => part && !part[key])
  if (missing) throw new UsageError(`\`${name}.${missing}\` is missing.`)
}

/** `prefix` is the start of every path of the form. */
function checkAddress(part: string, { baseUrl }: { readonly baseUrl?: string } = {}, prefix?: string): void {
  if (baseUrl === undefined) return
  // An address may contain a password.
  const place = `\`${part}.baseUrl\`${baseUrl.includes('@') ? '' : ` is ${JSON.stringify(baseUrl)}`}`
  if (!/^https?:\/\/[^/\s]/.test(baseUrl)) throw new UsageError(`${place}: it must begin with http:// or https://.`)
  if (/\s/.test(baseUrl) || !URL.canParse(baseUrl)) throw new UsageError(`${place}: it is no valid address.`)
  const { username, password } = new URL(baseUrl)
  if (username || password)
    throw new UsageError(
      `\`${part}.baseUrl\` has a user or a password in it: leave them out, credentials have fields of their own.`,
    )
  if (/[?#]/.test(baseUrl))
    throw new UsageError(`${place}: leave out what begins with ? or #, since paths are appended.`)
  if (prefix && baseUrl.replace(/\/+$/, '').endsWith(prefix))
    throw new UsageError(`${place}: leave out ${prefix}, every path begins with it.`)
}

function checkCredentials<Part extends object>(part: string, target: Part | undefined, keys: (keyof Part & string)[]) {
  for (const key of keys) {
    const place = `\`${part}.${key}\``
    const value = String(target?.[key] ?? '')
    // Cloud credentials are base64-encoded before they are sent.
    checkHeaderValue(place, part === 'cloud' ? value.replace(/[^\0-\xff]/g, '') : value)
  }
}

function checkHeaderValue(place: string, value: string): void {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for.
  if (/[\x00-\x1f\x7f]/.test(value))
    throw new UsageError(
      `${place} has a line break or another control character, which cannot stand in a header: remove it.`,
    )
  if (value !== value.trim()) throw new UsageError(`${place} begins or ends with a space: remove it.`)
  if (/[^\0-\xff]/.test(value))
    throw new UsageError(`${place} has a character that cannot stand in a header: copy it again.`)
}
