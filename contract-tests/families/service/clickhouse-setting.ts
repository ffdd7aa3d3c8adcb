import type { Check } from '../../engine/check.ts'
import { type Exchange, isSuccess } from '../../engine/exchange.ts'
import { isObject, payloadOf } from '../../engine/recognise.ts'
import type { Step } from '../../engine/step.ts'
import { look } from '../../rules/observations.ts'
import { eachSuccess } from '../../rules/steps.ts'
import { inOwnService, stepsOn } from '../../visits/singleton.ts'

/** The settings of a service that the run created: one is set to what it is by default, got, listed and deleted. */

const setting = { name: 'max_threads', value: 8 } as const

const get = 'cloud:clickhouseSetting.get'
const list = 'cloud:clickhouseSetting.list'

const step = stepsOn({ resource: 'clickhouseSetting', within: inOwnService, values: { settingName: setting.name } })
const after = (verb: 'update' | 'delete') => ({
  from: [inOwnService.serviceId, `cloud:clickhouseSetting.${verb}`],
  settled: {
    after: [`cloud:clickhouseSetting.${verb}`],
    withinSeconds: 60,
    shows: (came: Exchange) => !isSuccess(came) || lists(came) !== (verb === 'delete'),
  },
})

export const steps: readonly Step[] = [
  step('schema', 'clickhouseSetting.schema', 11, 'gets the settings that can be set'),
  step('update', 'clickhouseSetting.update', 12, 'sets a setting', () => ({
    settings: { [setting.name]: setting.value },
  })),
  { ...step('list', 'clickhouseSetting.list', 13, 'lists the settings that were set'), ...after('update') },
  { ...step('get', 'clickhouseSetting.get', 14, 'gets the setting'), from: [inOwnService.serviceId, list] },
  step('delete', 'clickhouseSetting.delete', 15, 'takes the setting back to its default'),
  {
    ...step('list-after-delete', 'clickhouseSetting.list', 16, 'lists the settings without the deleted one'),
    ...after('delete'),
  },
]

/** The values of the setting in an answer. */
const valuesIn = ({ json }: Exchange): readonly unknown[] => {
  const payload = payloadOf(json)
  const all = isObject(payload) && Array.isArray(payload.settings) ? payload.settings : [payload]
  return all.filter(isObject).flatMap(({ name, value }) => (name === setting.name ? [value] : []))
}
const lists = (came: Exchange) => valuesIn(came).length > 0

/** Judges what reads show of the setting after a write that succeeded. */
const shows = (written: string, reads: readonly string[], wanted: readonly number[]): Check =>
  eachSuccess([written, ...reads], (came, evidence) => {
    if (came.step === written || !evidence.of(written).some(isSuccess)) return undefined
    const got = valuesIn(came)
    // An older document has them as texts.
    if (got.map(String).join() === wanted.map(String).join()) return []
    return [{ expected: `${setting.name}: ${wanted[0] ?? 'no value'}`, got: got[0] ?? 'none' }]
  })

export const checks = {
  'clickhouseSetting/types': look([get], ([came]) => {
    const [value] = valuesIn(came)
    return value === undefined ? undefined : typeof value === 'string' ? 'text' : 'native'
  }),
  'clickhouseSetting/set-is-got': shows('cloud:clickhouseSetting.update', [list, get], [setting.value]),
  'clickhouseSetting/deleted-is-not-listed': shows(
    'cloud:clickhouseSetting.delete',
    ['cloud:clickhouseSetting.list-after-delete'],
    [],
  ),
} as const satisfies Record<string, Check>
