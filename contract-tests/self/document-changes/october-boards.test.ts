import { readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { compareDocuments } from '../../run/document/compare-documents.ts'
import type { Loose } from './changes.ts'
import { described } from './describe-changed.ts'

/** Dashboards and alerts as the vendor's document of October has them (fixtures/documents/boards-2026-10.txt). */

const outline = readFileSync(new URL('../../../fixtures/documents/boards-2026-10.txt', import.meta.url), 'utf8')

const nameOf = (name: string) => `ClickStack${name}`
const refer = (name: string) => ({ $ref: `#/components/schemas/${nameOf(name)}` })

function readType(text: string, values?: readonly unknown[]): Loose {
  if (text.endsWith('[]')) return { type: 'array', items: readType(text.slice(0, -2), values) }
  if (text.includes('|')) return { oneOf: text.split('|').map(part => readType(part)) }
  const type = text.replace('?', '')
  const isNullable = text !== type
  if (/^[A-Z]/.test(type)) return isNullable ? { oneOf: [refer(type), { type: 'null' }] } : refer(type)
  const [own, format] = type === 'date-time' ? ['string', type] : [type]
  return { type: isNullable ? [own, 'null'] : own, format, enum: values?.length ? values : undefined }
}

function readObject(text: string): Loose {
  const fields = text.split('; ').flatMap(field => {
    const [, name, needed, type = 'string', values] = /^(\w+)(!?)(?::([^=]+))?(?:=(.*))?$/.exec(field) ?? []
    const read = (value: string) => (type === 'integer' ? Number(value) : value)
    return name ? [{ name, isNeeded: needed === '!', schema: readType(type, values?.split(',').map(read)) }] : []
  })
  return {
    type: 'object',
    required: fields.filter(({ isNeeded }) => isNeeded).map(({ name }) => name),
    properties: Object.fromEntries(fields.map(({ name, schema }) => [name, schema])),
  }
}

function readSchema(text: string): Loose {
  if (text.includes(' | ')) return { oneOf: text.split(' | ').map(refer) }
  if (text.includes(' & '))
    return { allOf: text.split(' & ').map(part => (/^[A-Z]/.test(part) ? refer(part) : readObject(part))) }
  return readType(text)
}

const ours = () => {
  const document = described('cloud')
  const isBoards = (path: string) => /\/(?:dashboards|alerts)(?:\/|$)/.test(path)
  document.paths = Object.fromEntries(Object.entries(document.paths).filter(([path]) => isBoards(path)))
  return document
}

/** Our description of these operations with the bodies and answers of the outline. */
function withOutline(text: string): Loose {
  const document = ours()
  for (const line of text.split('\n').filter(line => line && !line.startsWith('#'))) {
    const [, name = '', mark, rest = ''] = /^(\w+)( =|:) ?(.*)$/.exec(line) ?? []
    document.components.schemas[nameOf(name)] = mark === ':' ? readObject(rest) : readSchema(rest)
  }
  for (const [path, item] of Object.entries<Loose>(document.paths)) {
    const kind = path.includes('/alerts') ? 'Alert' : 'Dashboard'
    for (const [method, { requestBody, responses }] of Object.entries<Loose>(item)) {
      const json = (body: Loose) => body.content['application/json']
      if (requestBody) json(requestBody).schema = refer(`${method === 'put' ? 'Update' : 'Create'}${kind}Request`)
      const answer = refer(path.endsWith('/validate') ? 'ValidateDashboardResponse' : `${kind}Response`)
      const isList = method === 'get' && /s$/.test(path)
      const result = isList ? { type: 'array', items: answer } : answer
      if (method === 'delete') continue
      json(responses[200]).schema = {
        type: 'object',
        properties: { status: { type: 'number' }, requestId: { type: 'string', format: 'uuid' }, result },
      }
    }
  }
  return document
}

const compare = (text: string) =>
  compareDocuments(ours(), withOutline(text), { isContract: true }).map(({ kind, id }) => `${kind} ${id}`)

it('the October document of the vendor does not differ from our description', () => {
  expect(compare(outline)).toEqual([])
})

it('a change in the October document is found with its impact', () => {
  const changed = outline
    .replace('label!; match', 'label!; match; limit:integer')
    .replace('heatmapMode!=series; ', '')
    .replace(/(?<=TileOutput: .*)h!:integer; /, '')
    .replace('emailRecipients!:string[]', 'emailRecipients!:string')
  expect(compare(changed)).toEqual([
    'breaking answer/ClickStackAlertChannel.emailRecipients/type',
    'breaking request/ClickStackAlertChannel.emailRecipients/type',
    'breaking answer/ClickStackHeatmapSeriesChartConfig.heatmapMode/gone',
    'breaking answer/ClickStackTileOutput.h/gone',
    'additive answer/ClickStackPrometheusLabelFilter.limit/new',
    'additive request/ClickStackPrometheusLabelFilter.limit/new',
    'additive request/ClickStackPrometheusLabelFilterInput.limit/new',
    'neutral request/ClickStackHeatmapSeriesChartConfig.heatmapMode/gone',
  ])
})
