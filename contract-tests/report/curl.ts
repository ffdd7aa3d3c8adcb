import type { Form } from '../../fixtures/contract/index.ts'
import { fillTemplate, partOf, splitTemplate, templateOf } from '../engine/credentials.ts'
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

const variableOf = (target: Target, place: Place): string => target.variables?.[place] ?? usual[place]

/** A template in double quotes, with its values as variables. What follows a variable is kept out of the quotes. */
function fill(target: Target, template: string): string {
  const [, lead = template, tail = ''] = /^(.*\})(\w+)$/.exec(template) ?? []
  const text = fillTemplate(lead, (place, change) => {
    const variable = variableOf(target, place as Place)
    if (change === 'inOtherCase') return `$(printf %s "$${variable}" | tr A-Za-z a-zA-Z)`
    return change === '' ? `$${variable}` : `\${${variable}%?}${change === 'altered' ? '_' : ''}`
  })
  return `"${text}"${tail}`
}

/** The argument that sends credentials. */
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
  const part = partOf(form)
  // Without a second key, the first is tried on the second organization.
  const isFirst = as === 'secondKey' && target.variables && !('cloud.secondKeyId' in target.variables)
  const kind = isFirst || as === 'unknown' ? 'key' : as
  const template = templateOf(form, kind)
  const base = target.baseUrls?.[part]?.replace(/\/+$/, '')
  const parts = [
    'curl -sS -i',
    /[[\]{}]/.test(path) ? '-g' : '',
    /\/\.\.?(?:[/?]|$)/.test(path) ? '--path-as-is' : '',
    method === 'GET' && body === null ? '' : method === 'HEAD' ? '-I' : `-X ${method}`,
    template ? credentialArgument(target, template) : '',
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
