import { readJson } from '../parts/read-json.ts'

/** A request that a program sends. */
export interface Sending {
  readonly method: string
  readonly url: string
  readonly credentials?: Credentials
  readonly body?: { readonly type: string; readonly text: string }
}

export type Credentials =
  | { readonly kind: 'basic'; readonly user: string; readonly password: string }
  | { readonly kind: 'bearer'; readonly token: string }

/** Writers of programs that send a request and print the answer, by language. */
export const snippets = {
  curl: toCurl,
  fetch: toFetch,
  Python: toPython,
  Go: toGo,
} as const satisfies Record<string, (sending: Sending) => string>

export type Language = keyof typeof snippets

function toCurl({ method, url, credentials, body }: Sending): string {
  return [
    `curl -i${method === 'GET' ? '' : ` -X ${method}`} ${quote(url)}`,
    credentials?.kind === 'basic' && `-u ${quote(`${credentials.user}:${credentials.password}`)}`,
    credentials?.kind === 'bearer' && `-H ${quote(`Authorization: Bearer ${credentials.token}`)}`,
    body && `-H ${quote(`Content-Type: ${body.type}`)}`,
    body && `--data-raw ${quote(body.text)}`,
  ]
    .filter(Boolean)
    .join(' \\\n  ')
}

function toFetch({ method, url, credentials, body }: Sending): string {
  const json = body && readJson(body.text)
  const headers = [
    credentials?.kind === 'basic' &&
      `authorization: 'Basic ' + btoa(${singleQuoted(`${credentials.user}:${credentials.password}`)}),`,
    credentials?.kind === 'bearer' && `authorization: ${singleQuoted(`Bearer ${credentials.token}`)},`,
    body && `'content-type': ${singleQuoted(body.type)},`,
  ].filter(Boolean)
  const options = [
    method !== 'GET' && `method: '${method}',`,
    headers.length > 0 && `headers: {\n${indent(headers.join('\n'), '    ')}\n  },`,
    body &&
      `body: ${json ? `JSON.stringify(${indent(write(json.value), '  ').trimStart()})` : singleQuoted(body.text)},`,
  ].filter(Boolean)
  const rest = options.length > 0 ? `, {\n  ${options.join('\n  ')}\n}` : ''
  return `const response = await fetch(${singleQuoted(url)}${rest})\nconsole.log(response.status, await response.text())`
}

function toPython({ method, url, credentials, body }: Sending): string {
  const json = body && readJson(body.text)
  const isSentAsJson = json && body.type === 'application/json'
  const headers = [
    credentials?.kind === 'bearer' && `"Authorization": ${doubleQuoted(`Bearer ${credentials.token}`)}`,
    body && !isSentAsJson && `"Content-Type": ${doubleQuoted(body.type)}`,
  ].filter(Boolean)
  const parts = [
    doubleQuoted(url),
    credentials?.kind === 'basic' && `auth=(${doubleQuoted(credentials.user)}, ${doubleQuoted(credentials.password)})`,
    headers.length > 0 && `headers={${headers.join(', ')}}`,
    body &&
      (isSentAsJson
        ? `json=${indent(toPythonValue(json.value), '    ').trimStart()}`
        : `data=${doubleQuoted(body.text)}.encode()`),
  ].filter(Boolean)
  return [
    'import requests',
    '',
    `response = requests.${method.toLowerCase()}(\n${parts.map(part => `    ${part},`).join('\n')}\n)`,
    'print(response.status_code, response.text)',
  ].join('\n')
}

function toGo({ method, url, credentials, body }: Sending): string {
  const text = body && (/[`\r]/.test(body.text) ? doubleQuoted(body.text) : `\`${body.text}\``)
  return `package main

import (
	"fmt"
	"io"
	"net/http"${body ? '\n\t"strings"' : ''}
)

func main() {
	request, err := http.NewRequest("${method}", ${doubleQuoted(url)}, ${body ? `strings.NewReader(${text})` : 'nil'})
	if err != nil {
		panic(err)
	}${[
    credentials?.kind === 'basic' &&
      `request.SetBasicAuth(${doubleQuoted(credentials.user)}, ${doubleQuoted(credentials.password)})`,
    credentials?.kind === 'bearer' &&
      `request.Header.Set("Authorization", ${doubleQuoted(`Bearer ${credentials.token}`)})`,
    body && `request.Header.Set("Content-Type", ${doubleQuoted(body.type)})`,
  ]
    .filter(Boolean)
    .map(line => `\n\t${line}`)
    .join('')}
	response, err := http.DefaultClient.Do(request)
	if err != nil {
		panic(err)
	}
	defer response.Body.Close()
	text, err := io.ReadAll(response.Body)
	if err != nil {
		panic(err)
	}
	fmt.Println(response.StatusCode, string(text))
}`
}

/** A word of a POSIX shell. */
const quote = (word: string): string => `'${word.replaceAll("'", `'\\''`)}'`
/** A string literal of JavaScript, in single quotes. */
export const singleQuoted = (text: string) =>
  `'${JSON.stringify(text).slice(1, -1).replaceAll('\\"', '"').replaceAll("'", "\\'")}'`
/** A string literal of Python and Go: both know the escapes of JSON. */
const doubleQuoted = (text: string) => JSON.stringify(text)
const write = (value: unknown) => JSON.stringify(value, null, 2)
export const indent = (text: string, by: string) => text.replace(/^/gm, by)

function toPythonValue(value: unknown): string {
  if (value === null) return 'None'
  if (typeof value === 'boolean') return value ? 'True' : 'False'
  if (Array.isArray(value)) return block('[', value.map(toPythonValue), ']')
  if (typeof value !== 'object') return JSON.stringify(value)
  return block(
    '{',
    Object.entries(value).map(([name, one]) => `${doubleQuoted(name)}: ${toPythonValue(one)}`),
    '}',
  )
}

const block = (before: string, lines: readonly string[], after: string) =>
  lines.length === 0 ? before + after : `${before}\n${lines.map(line => indent(line, '    ')).join(',\n')},\n${after}`
