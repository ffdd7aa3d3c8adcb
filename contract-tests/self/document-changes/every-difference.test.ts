import { readFileSync } from 'node:fs'
import { gunzipSync } from 'node:zlib'
import { expect, it } from 'vitest'
import { groupBy } from '../../engine/group-by.ts'
import { idOf } from '../../run/document/change.ts'
import { compareDocuments } from '../../run/document/compare-documents.ts'
import { openDocumented } from './open-documented.ts'
import { createShow, type LocatedChange } from './show-change.ts'

/**
 * Each difference between the vendor's documents of August and October 2026 that concerns requests or answers is shown by
 * calls that are made from it: the mock with August's document answers as August's says, that with October's as October's.
 */

const read = (name: string) =>
  JSON.parse(
    gunzipSync(readFileSync(new URL(`../../../fixtures/documents/${name}.json.gz`, import.meta.url))).toString(),
  )
const documents = { was: read('cloud-2026-08'), is: read('cloud-2026-10') }
const mocks = { was: openDocumented(documents.was), is: openDocumented(documents.is) }

const firstId = (model: string, kind?: string) => {
  const within = mocks.is.mock.target({ cloud: '' }).cloud!.serviceId!
  const all = mocks.is.mock.records.list(model as never, { within }) as readonly { id: string; kind?: string }[]
  return all.find(one => one.kind === kind)?.id
}
const show = createShow(mocks, {
  values: {
    aggFn: 'count',
    backupStartTime: '01:00',
    channel: { type: 'webhook', webhookId: firstId('webhook') },
    connection: firstId('connection'),
    expression: 'A',
    ipAccessList: [],
    sourceId: firstId('source', 'trace'),
    tiles: [{ name: 'a', x: 0, y: 0, w: 1, h: 1, config: { displayType: 'markdown', markdown: 'a' } }],
  },
  companions: {
    'kafka.authentication': { type: 'gcmk' },
    channels: { channel: undefined },
    periodAggFn: { aggFn: 'count' },
    protobufSchema: { format: 'Protobuf' },
    'select[].level': { aggFn: 'quantile', valueExpression: 'A' },
    'select[].where': { valueExpression: undefined },
    'select[].whereLanguage': { valueExpression: undefined, where: 'a' },
    showOperandSeries: { formulas: [{ expression: 'A' }] },
    variableName: { isVariableEnabled: true },
    ttl: { engine: { type: 'MergeTree' } },
  },
})

/** Differences that no call shows, by the reason; `*` stands for any text. */
const unshown: Readonly<Record<string, readonly string[]>> = {
  'The contract takes what clients of August send with either document: fixtures/documents/stays.ts.': [
    'request/ClickPipe*/null',
    'request/CreateReversePrivateEndpoint.*/null',
    'request/ClickPipe*.replicationMode/required',
    'request/ClickPipeMutateBigQuerySource.settings/required',
    'request/ClickStackCASLPermission.integration/required',
    'request/InstanceServiceQueryApiEndpointsPostRequest.*/required',
    'request/ServicePostRequest.encryption*/gone',
    'request/ServicePostRequest.ipAccessList/required',
    'request/ServicePostRequest.tier/values-gone',
    'request/Udf*.sandboxVersion/gone',
  ],
  'The contract needs these fields with either document, since handlers do, or the specification states them.': [
    'request/ClickPipe*/required',
    'request/ClickPipe*.serviceAccountKey/optional',
    'request/ServiceAccount.serviceAccountFile/required',
    'request/ClickStack*AlertRequest.*/required',
  ],
  'The contract has these values and bounds of deployments with either document.': [
    'request/ClickPipeBigQueryPipeSettings.replicationMode/values-open',
    'request/ClickStackCASLPermission.*/values-listed',
    'request/ClickStackSelectItem.level/values-open',
    'request/ClickStackTimeChartSeries.displayType/values-new',
    'request/ClickStackWebhookInput*/maxLength',
    'request/UdfCreateRequest(*).functionName/maxLength',
    'answer/ClickStackCASLPermission.*/values-listed',
    'answer/ClickStackSelectItem.level/values-open',
  ],
  'The vendor turns this interval on for some organizations only.': ['*AlertRe*.interval/values-new'],
  'Any text is taken for a host.': ['*.host/format'],
  'The contract has objects of any content there.': ['*/ClickStackCASLPermissionConditions.*/new'],
  'August calls these objects texts by mistake.': ['*/ServiceClickhouseSetting*/type'],
  'October requires the field in the variant that has it, and August has no other variant.': [
    '*/ClickStackFilter*.{expression,sourceId}/optional',
    '*/ClickStackHeatmapSelectItem.valueExpression/optional',
    '*/ClickStackSavedFilterValue.condition/optional',
  ],
  'The documents have a field of one of two notations, which are read as one object.': [
    '*/ClickStackNumberRawSqlChartConfig.colorRules/new',
  ],
  'An answer that is right by one document is right by the other.': [
    'answer/*/{required,maximum,minimum,deprecated}',
    'operation/*/deprecated',
  ],
  'The answer has what the request of the same difference sent.': [
    'answer/ClickStackTileConfig/alternatives-new',
    'answer/ClickStackAlertResponse.chartConfig/new',
  ],
}
const patterns = Object.values(unshown)
  .flat()
  .map(text => ({
    text,
    pattern: new RegExp(
      `^${text
        .replace(/[.$[\]()|?+^\\]/g, '\\$&')
        .replaceAll('*', '.*')
        .replace(/\{([\w,]+)\}/g, (_, names: string) => `(?:${names.replaceAll(',', '|')})`)}$`,
    ),
  }))

it('lies in what the document of August changes, since that of October changes nothing', () => {
  expect(mocks.is.mock.documentChanges).toEqual([])
  expect(mocks.was.mock.documentChanges.length).toBeGreaterThan(300)
})

it('is shown by a call on both mocks, except those that are named with the reason', async () => {
  const located: LocatedChange[] = []
  compareDocuments(documents.was, documents.is, {
    judgeUse: (change, operation) => {
      if (operation) located.push({ change, operation })
      return undefined
    },
  })
  const differences = groupBy(located, ({ change }) => idOf(change))
  expect(differences.size).toBe(523)
  const order = ['request', 'answer', 'parameter', 'operation']
  const sideOf = (id: string) => order.indexOf(id.split('/')[0]!)
  const left: string[] = []
  // Requests first: their answers show differences of answers.
  for (const [id, all] of [...differences].toSorted(([a], [b]) => sideOf(a) - sideOf(b))) {
    if (patterns.some(({ pattern }) => pattern.test(id))) continue
    let isShown = false
    for (const one of all) isShown ||= await show(one)
    if (!isShown) left.push(id)
  }
  expect(left).toEqual([])
  const unused = patterns.filter(({ pattern }) => ![...differences.keys()].some(id => pattern.test(id)))
  expect(unused).toEqual([])
}, 60_000)
