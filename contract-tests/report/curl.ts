import type { Form } from '../../fixtures/contract/index.ts'
import type { ExchangeReport, Report } from './report.ts'

/** Lines that repeat requests when they are pasted into a shell. Credentials stand in them by the names of variables. */

type Target = Report['target']

/** The variable that a value of the target file is called by, unless the file itself names one. */
const usual = {
  'cloud.baseUrl': 'CLOUD_URL',
  'cloud.keyId': 'CLOUD_KEY_ID',
  'cloud.keySecret': 'CLOUD_KEY_SECRET',
  'cloud.secondKeyId': 'SECOND_KEY_ID',
  'cloud.secondKeySecret': 'SECOND_KEY_SECRET',
  'selfHosted.baseUrl': 'OSS_URL',
  'selfHosted.apiKey': 'OSS_API_KEY',
  'selfHosted.ingestionKey': 'OSS_INGESTION_KEY',
} as const
type Place = keyof typeof usual

export const credentialPlaces = (Object.keys(usual) as Place[]).filter(place => !place.endsWith('.baseUrl'))

const encoded = '$(printf %s "{cloud.keyId}:{cloud.keySecret}" | base64 | tr -d \'\\n\')'
const inOtherCase = (place: Place) => `$(printf %s "{${place}}" | tr A-Za-z a-zA-Z)`

/** For each kind of credential, the argument that sends it; `{place}` is the variable of a value, `{place%?}` that without its end. */
const credentials: Record<'basic' | 'bearer', Record<string, string>> = {
  basic: {
    key: '-u "{cloud.keyId}:{cloud.keySecret}"',
    secondKey: '-u "{cloud.secondKeyId}:{cloud.secondKeySecret}"',
    emptySecret: '-u "{cloud.keyId}:"',
    wrongSecret: '-u "{cloud.keyId}:{cloud.keySecret%?}_"',
    cutSecret: '-u "{cloud.keyId}:{cloud.keySecret%?}"',
    continuedSecret: '-u "{cloud.keyId}:{cloud.keySecret}"x9',
    secretInOtherCase: `-u "{cloud.keyId}:${inOtherCase('cloud.keySecret')}"`,
    nameInOtherCase: `-u "${inOtherCase('cloud.keyId')}:{cloud.keySecret}"`,
    keyIdAsSecret: '-u "{cloud.keyId}:{cloud.keyId}"',
    otherOrganizationsSecret: '-u "{cloud.keyId}:{cloud.secondKeySecret}"',
    wrongKeyId: '-u "{cloud.keyId%?}_:{cloud.keySecret}"',
    wrongScheme: `-H "Authorization: Bearer ${encoded}"`,
    noScheme: `-H "Authorization: ${encoded}"`,
    malformed: "-H 'Authorization: Basic !!!'",
    otherForm: '-H "Authorization: Bearer {selfHosted.apiKey}"',
  },
  bearer: {
    key: '-H "Authorization: Bearer {selfHosted.apiKey}"',
    emptySecret: "-H 'Authorization: Bearer '",
    wrongSecret: '-H "Authorization: Bearer {selfHosted.apiKey%?}_"',
    cutSecret: '-H "Authorization: Bearer {selfHosted.apiKey%?}"',
    continuedSecret: '-H "Authorization: Bearer {selfHosted.apiKey}"x9',
    secretInOtherCase: `-H "Authorization: Bearer ${inOtherCase('selfHosted.apiKey')}"`,
    nameInOtherCase: `-H "Authorization: Bearer ${inOtherCase('selfHosted.apiKey')}"`,
    wrongScheme: '-u "{selfHosted.apiKey}:"',
    noScheme: '-H "Authorization: {selfHosted.apiKey}"',
    keyAsPassword: '-u "api:{selfHosted.apiKey}"',
    malformed: "-H 'Authorization: Bearer not a key'",
    otherForm: '-u "{cloud.keyId}:{cloud.keySecret}"',
    ingestion: '-H "Authorization: Bearer {selfHosted.ingestionKey}"',
  },
}

const variableOf = (target: Target, place: Place): string => target.variables?.[place] ?? usual[place]

const fill = (target: Target, template: string): string =>
  template.replace(/\{([a-z]+\.[a-z]+)(%\?)?\}/gi, (_, place: Place, cut = '') =>
    cut ? `\${${variableOf(target, place)}${cut}}` : `$${variableOf(target, place)}`,
  )

/** A word of a shell; what cannot be seen is spelled out, which only `$'…'` allows. */
function quote(text: string): string {
  if (!/[\p{C}\p{Zl}\p{Zp}]/u.test(text)) return `'${text.replaceAll("'", "'\\''")}'`
  const bytes = (char: string) =>
    [...new TextEncoder().encode(char)].map(byte => `\\x${byte.toString(16).padStart(2, '0')}`).join('')
  return `$'${text.replace(/[\\']/g, '\\$&').replace(/[\p{C}\p{Zl}\p{Zp}]/gu, bytes)}'`
}

/** The line that repeats the request of an exchange; undefined when what it names is gone, or when it is not known whole. */
export function curlLine(target: Target, form: Form, { as, request, gone }: ExchangeReport): string | undefined {
  const { method, path, headers, body } = request
  if (gone || body?.endsWith('…') || `${path}${body}`.includes('[redacted]')) return undefined
  const part = form === 'selfHosted' ? 'selfHosted' : 'cloud'
  // Without a second key, the first is tried on the second organization.
  const isFirst = as === 'secondKey' && target.variables && !('cloud.secondKeyId' in target.variables)
  const kind = isFirst || as === 'unknown' ? 'key' : as
  const credential = credentials[part === 'selfHosted' ? 'bearer' : 'basic'][kind]
  const base = target.baseUrls?.[part]?.replace(/\/+$/, '')
  const parts = [
    'curl -sS -i',
    /[[\]{}]/.test(path) ? '-g' : '',
    /\/\.\.?(?:[/?]|$)/.test(path) ? '--path-as-is' : '',
    method === 'GET' && body === null ? '' : method === 'HEAD' ? '-I' : `-X ${method}`,
    credential ? fill(target, credential) : '',
    body === null
      ? ''
      : `-H ${quote(headers['content-type'] ? `Content-Type: ${headers['content-type']}` : 'Content-Type:')}`,
    body === null ? '' : `--data-raw ${quote(body)}`,
    base === undefined ? `"$${variableOf(target, `${part}.baseUrl`)}"${quote(path)}` : quote(base + path),
  ]
  return parts.filter(Boolean).join(' ')
}

/** The text where no curl line can be given: how to send the request again. */
export const rerunCommand = (id: string): string =>
  `No curl line: the request names what is gone by now, or what is not shown whole. --rule ${id} sends it again.`

/** The line that sets what curl lines need and the environment does not have yet; undefined when that is nothing. */
export function exportLine(target: Target, lines: readonly string[]): string | undefined {
  const used = new Set(lines.flatMap(line => [...line.matchAll(/\$\{?([A-Za-z_]\w*)/g)].map(([, name]) => name)))
  const wanted = (Object.keys(usual) as Place[]).filter(place => !target.variables?.[place] && used.has(usual[place]))
  if (wanted.length === 0) return undefined
  return `export ${wanted.map(place => `${usual[place]}='<${place} of the target file>'`).join(' ')}`
}
