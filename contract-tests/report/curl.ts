import type { Form } from '../../fixtures/contract/index.ts'
import { credentialsTemplateOf, fillTemplate, splitTemplate, targetPartOf } from '../engine/credentials.ts'
import type { ExchangeReport, Report } from './report.ts'

/** Shell lines that repeat requests, with credentials as variables. */

type Target = Report['target']

/** The variable of each value where the target file names none. */
const defaultVariables = {
  'cloud.baseUrl': 'CLOUD_URL',
  'cloud.keyId': 'CLOUD_KEY_ID',
  'cloud.keySecret': 'CLOUD_KEY_SECRET',
  'cloud.secondKeyId': 'SECOND_KEY_ID',
  'cloud.secondKeySecret': 'SECOND_KEY_SECRET',
  'selfHosted.baseUrl': 'OSS_URL',
  'selfHosted.apiKey': 'OSS_API_KEY',
  'selfHosted.ingestionKey': 'OSS_INGESTION_KEY',
} as const
type Place = keyof typeof defaultVariables

export const credentialPlaces = (Object.keys(defaultVariables) as Place[]).filter(place => !place.endsWith('.baseUrl'))

const environmentVariableOf = (target: Target, place: Place): string =>
  target.variables?.[place] ?? defaultVariables[place]

/** A template in double quotes, with values as variables. Letters after them stay outside: `"$NAME"x9`. */
function fill(target: Target, template: string): string {
  const [, beginning = template, ending = ''] = /^(.*\})(\w+)$/.exec(template) ?? []
  const text = fillTemplate(beginning, (place, change) => {
    const variable = environmentVariableOf(target, place as Place)
    if (change === 'inOtherCase') return `$(printf %s "$${variable}" | tr A-Za-z a-zA-Z)`
    return change === '' ? `$${variable}` : `\${${variable}%?}${change === 'altered' ? '_' : ''}`
  })
  return `"${text}"${ending}`
}

function credentialArgument(target: Target, template: string): string {
  const [scheme, encoded] = splitTemplate(template) ?? []
  if (encoded === undefined)
    return template.includes('{')
      ? `-H ${fill(target, `Authorization: ${template}`)}`
      : `-H 'Authorization: ${template}'`
  const filled = fill(target, encoded)
  return scheme === 'Basic '
    ? `-u ${filled}`
    : `-H "Authorization: ${scheme}$(printf %s ${filled} | base64 | tr -d '\\n')"`
}

/** Quotes a text as one word of a shell. Invisible characters need escapes, which only `$'…'` has. */
function quote(text: string): string {
  if (!/[\p{C}\p{Zl}\p{Zp}]/u.test(text)) return `'${text.replaceAll("'", "'\\''")}'`
  const bytes = (char: string) =>
    [...new TextEncoder().encode(char)].map(byte => `\\x${byte.toString(16).padStart(2, '0')}`).join('')
  return `$'${text.replace(/[\\']/g, '\\$&').replace(/[\p{C}\p{Zl}\p{Zp}]/gu, bytes)}'`
}

/** The curl line of a request; undefined if it names a deleted object, or if the report has it shortened or redacted. */
export function curlLine(target: Target, form: Form, { as, request, gone }: ExchangeReport): string | undefined {
  const { method, path, headers, body } = request
  if (gone || body?.endsWith('…') || `${path}${body}`.includes('[redacted]')) return undefined
  const part = targetPartOf(form)
  // Without a second key, the first one was used.
  const usedFirstKey = as === 'secondKey' && target.variables && !('cloud.secondKeyId' in target.variables)
  const kind = usedFirstKey || as === 'unknown' ? 'key' : as
  const template = credentialsTemplateOf(form, kind)
  const base = target.baseUrls?.[part]?.replace(/\/+$/, '')
  const parts = [
    'curl -sS -i',
    /[[\]{}]/.test(path) ? '-g' : '',
    /\/\.\.?(?:[/?]|$)/.test(path) ? '--path-as-is' : '',
    methodArgument(method, body !== null),
    template ? credentialArgument(target, template) : '',
    body === null
      ? ''
      : `-H ${quote(headers['content-type'] ? `Content-Type: ${headers['content-type']}` : 'Content-Type:')}`,
    body === null ? '' : `--data-raw ${quote(body)}`,
    base === undefined ? `"$${environmentVariableOf(target, `${part}.baseUrl`)}"${quote(path)}` : quote(base + path),
  ]
  return parts.filter(Boolean).join(' ')
}

function methodArgument(method: string, hasBody: boolean): string {
  if (method === 'GET' && !hasBody) return ''
  return method === 'HEAD' ? '-I' : `-X ${method}`
}

export const describeRerun = (id: string): string =>
  `No curl line: the request names an object that has been deleted, or the report shows it shortened. --rule ${id} sends it again.`

/** A line that sets those variables of curl lines that the target file does not name; undefined if there are none. */
export function exportLine(target: Target, lines: readonly string[]): string | undefined {
  const used = new Set(lines.flatMap(line => [...line.matchAll(/\$\{?([A-Za-z_]\w*)/g)].map(([, name]) => name)))
  const unset = (Object.keys(defaultVariables) as Place[]).filter(
    place => !target.variables?.[place] && used.has(defaultVariables[place]),
  )
  if (unset.length === 0) return undefined
  return `export ${unset.map(place => `${defaultVariables[place]}='<${place} of the target file>'`).join(' ')}`
}
