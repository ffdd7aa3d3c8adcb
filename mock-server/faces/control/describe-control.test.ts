import { readFileSync, writeFileSync } from 'node:fs'
import { Validator } from '@seriousme/openapi-schema-validator'
import { Ajv2020 } from 'ajv/dist/2020.js'
import addFormats from 'ajv-formats'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { type RunningMock, startMock } from '../serve.ts'

const ajv = addFormats.default(new Ajv2020({ strict: false }))

interface Operation {
  readonly summary: string
  readonly parameters: readonly { readonly name: string; readonly in: string; readonly example?: string }[]
  readonly requestBody?: {
    readonly content: { readonly 'application/json': { readonly schema: object; readonly example: unknown } }
  }
  readonly responses: Readonly<Record<string, object>>
}

let running: RunningMock
let operations: readonly (readonly [method: string, path: string, operation: Operation])[]
let base: string
beforeAll(async () => {
  const verify = async () => ({ report: { summary: {} }, html: '<p>done</p>' })
  running = await startMock({ logs: 1000, console: { verify } })
  base = running.target().control!.baseUrl
  const document = await (await fetch(`${base}/control/openapi/control.json`)).json()
  expect(document).toMatchObject({ openapi: '3.1.0', servers: [{ url: base }] })
  expect(await new Validator().validate(structuredClone(document))).toMatchObject({ valid: true })
  const paths = Object.entries<Record<string, Operation>>(document.paths)
  operations = paths.flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => [method.toUpperCase(), path, operation] as const),
  )
})
afterAll(() => running.close())

it('the description of the control plane has a summary, examples and bodies for every address', () => {
  expect(operations.length).toBeGreaterThan(40)
  const listWithout = (isMissing: (operation: Operation, method: string) => boolean) =>
    operations.flatMap(([method, path, operation]) => (isMissing(operation, method) ? [`${method} ${path}`] : []))
  expect(listWithout(({ summary }) => summary === '')).toEqual([])
  expect(listWithout(({ parameters }) => parameters.some(one => one.in === 'path' && !one.example))).toEqual([])
  expect(listWithout(({ requestBody }, method) => ['POST', 'PUT', 'PATCH'].includes(method) && !requestBody)).toEqual([
    'POST /control/verify',
  ])
})

it('the description of the control plane has examples that can be sent unchanged in its order, deletions last', async () => {
  const failures: unknown[] = []
  const deletions = operations.filter(([method]) => method === 'DELETE').toReversed()
  for (const [method, path, { parameters, requestBody, responses }] of [
    ...operations.filter(([method]) => method !== 'DELETE'),
    ...deletions,
  ]) {
    const address = path.replace(/\{(\w+)\}/g, (_, id) => parameters.find(({ name }) => name === id)!.example!)
    const body = requestBody && JSON.stringify(requestBody.content['application/json'].example)
    const { schema, example } = requestBody?.content['application/json'] ?? {}
    if (schema && !ajv.validate(schema, example)) failures.push([method, address, ajv.errorsText()])
    const response = await fetch(`${base}${address}`, { method, body })
    const text = await response.text()
    const isEmpty = response.status !== 204 && text === ''
    if (!(response.status in responses) || isEmpty) failures.push([method, address, response.status, text])
  }
  expect(failures).toEqual([])
})

it('the description of the control plane agrees with the table in the README, which WRITE=1 updates', () => {
  const rows = operations.map(([method, path, { summary, requestBody }]) => {
    const example = requestBody && JSON.stringify(requestBody.content['application/json'].example)
    return `| \`${method} ${path}\` | ${summary} | ${example ? `\`${example}\`` : ''} |`
  })
  const table = ['| Address | What it does | Body, for example |', '|---|---|---|', ...rows].join('\n')
  const file = new URL('../../README.md', import.meta.url)
  const readme = readFileSync(file, 'utf8')
  const place = /(?<=<!-- addresses of the control plane -->\n)[^<]*(?=\n<!-- end -->)/
  if (process.env.WRITE)
    writeFileSync(
      file,
      readme.replace(place, () => table),
    )
  else expect(place.exec(readme)?.[0]).toBe(table)
})
