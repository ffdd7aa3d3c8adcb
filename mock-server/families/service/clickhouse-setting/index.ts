import type { ValuesOf } from '../../../../fixtures/contract/index.ts'
import {
  clickhouseSetting,
  type clickhouseSettingsSchema,
} from '../../../../fixtures/contract/service/clickhouse-setting.ts'
import type { Faults } from '../../../faults/fault.ts'
import { succeeds, wrongField } from '../../../faults/rewrite.ts'
import { isRecord } from '../../../words/check-options.ts'
import { type Issue, invalid, invalidAt, Refusal } from '../../../words/refusal.ts'
import type { Model } from '../../../world/collection.ts'
import { recordSchema } from '../../../world/record.ts'
import { answerObject, type Handlers, put, type Request, recordAt } from '../../family.ts'
import { services } from '../model.ts'

type KnownSetting = ValuesOf<typeof clickhouseSettingsSchema.fields>['settings'][number] & { readonly example: string }

const restartWarning = 'The servers are restarted one after the other when it changes.'

const knownSettings: readonly KnownSetting[] = [
  {
    name: 'compatibility',
    type: 'string',
    description: 'Version whose defaults all other settings have.',
    warning: 'Queries may fail or answer differently: test them with the other version first.',
    example: '24.8',
  },
  { name: 'max_threads', type: 'number', description: 'Most threads of a query.', example: '8' },
  {
    name: 'max_concurrent_queries_for_user',
    type: 'number',
    description: 'Most queries of one user that run at the same time.',
    example: '100',
  },
  {
    name: 'max_memory_usage_for_user',
    type: 'number',
    description: 'Most bytes of memory for all queries of one user.',
    example: '10000000000',
  },
  { name: 'max_query_size', type: 'number', description: 'Most bytes of a query that are parsed.', example: '262144' },
  {
    name: 'min_insert_block_size_rows',
    type: 'number',
    description: 'Least rows of a block that an insertion writes.',
    example: '1048449',
  },
  {
    name: 'keep_alive_timeout',
    type: 'number',
    description: 'Seconds for which an idle HTTP connection stays open.',
    warning: restartWarning,
    example: '30',
  },
  {
    name: 'shared_merge_tree_disable_merges_and_mutations_assignment',
    type: 'number',
    description: 'Whether this service leaves merges and mutations to the others of its warehouse.',
    enum: [0, 1],
    warning: restartWarning,
    example: '0',
  },
]

type Setting = ValuesOf<typeof clickhouseSetting.fields>

export const clickhouseSettings: Model<Setting, 'clickhouseSetting'> = {
  name: 'clickhouseSetting',
  within: services,
  namedBy: ['settingName'],
  inEmptyWorld: () => true,
  record: recordSchema(clickhouseSetting.fields),
  keyFields: ['name'],
  // A new service has three settings, as the tests of the vendor's client expect.
  seed: (_, { isSample }) =>
    knownSettings.slice(0, isSample ? 0 : 3).map(({ name, type, example }) => ({
      name,
      value: type === 'number' ? Number(example) : example,
    })),
  defaults(serviceId, _, world) {
    const isFree = ({ name }: { readonly name: string }) => !world.in(clickhouseSettings, serviceId).get(name)
    const { name, example } = knownSettings.find(isFree) ?? knownSettings[0]!
    return { name, value: example }
  },
}
export const models = [clickhouseSettings]

const findSetting = (name: string) => knownSettings.find(one => one.name === name)

/** Reads the settings of a body: an object or, from older clients, the JSON text of one. Numbers may be sent as texts. */
function readSettings(settings: unknown): readonly Setting[] {
  const values = typeof settings === 'string' ? parse(settings) : settings
  if (!isRecord(values)) throw invalidAt(['settings'], 'Expected the text of a JSON object', settings)
  const sent = Object.entries(values)
  const issues = sent.flatMap(([name, value]): Issue[] => {
    const sentence = judge(name, value)
    return sentence === undefined ? [] : [{ part: 'Body', path: ['settings', name], sentence, received: value }]
  })
  if (issues.length > 0) throw invalid(issues)
  return sent.map(([name, value]) => ({ name, value: value as string | number }))
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

function judge(name: string, value: unknown): string | undefined {
  const known = findSetting(name)
  if (!known) return 'There is no such setting'
  if (known.type === 'string') return typeof value === 'string' ? undefined : 'Expected string'
  const number = typeof value === 'string' && value.trim() !== '' ? Number(value) : value
  if (typeof number !== 'number' || !(number >= 0)) return 'Expected a number of at least 0'
  return !known.enum || known.enum.includes(number) ? undefined : `Expected one of ${known.enum.join(', ')}`
}

const answersTexts = ({ choice }: Request) => choice('clickhouseSetting/types') === 'text'

const present = (request: Request, { name, value }: Setting): Setting => ({
  name,
  value: answersTexts(request) ? String(value) : value,
})

export const handlers = {
  'clickhouseSetting.list': request =>
    answerObject({
      settings: request.list(clickhouseSettings).map(one => present(request, one)),
    }),
  'clickhouseSetting.schema': () => answerObject({ settings: knownSettings }),
  'clickhouseSetting.get': request =>
    answerObject(present(request, recordAt(request, clickhouseSettings, 'settingName'))),
  'clickhouseSetting.update': request => {
    const sent = readSettings(request.body.settings)
    const all = request.in(clickhouseSettings)
    for (const setting of sent) put(all, clickhouseSettings, setting)
    const warnings = sent.flatMap(({ name }) => {
      const { warning: message } = findSetting(name)!
      return message === undefined ? [] : [{ name, message }]
    })
    const written = Object.fromEntries(sent.map(one => [one.name, present(request, one).value]))
    const settings = answersTexts(request) ? JSON.stringify(written) : written
    return answerObject({ settings, ...(warnings.length > 0 && { warnings }) })
  },
  'clickhouseSetting.delete': request => {
    const { settingName = '' } = request.ids
    if (!findSetting(settingName)) throw new Refusal('unknownId', settingName)
    request.in(clickhouseSettings).remove(settingName)
    return { kind: 'deleted' }
  },
} as const satisfies Handlers

export const faults = {
  'clickhouseSetting/set-is-got': wrongField('clickhouseSetting.get', 'value', 7),
  // Deletes another setting, which was never set, so that the setting of the path is kept.
  'clickhouseSetting/deleted-is-not-listed': () => async (call, next, context) => {
    if (context.operation !== 'clickhouseSetting.delete') return next(call)
    const answer = await next({ ...call, path: call.path.replace(/[^/]+$/, 'keep_alive_timeout') })
    return succeeds(answer) ? answer : next(call)
  },
} as const satisfies Faults
