import type { Check } from '../../engine/check.ts'
import { type Exchange, isSuccess } from '../../engine/exchange.ts'
import { isObject, payloadOf } from '../../engine/recognise.ts'
import { eachSuccess, observe, ofOwnRun } from '../../rules/steps.ts'
import { type Line, visit } from '../../visits/visit.ts'
import { service } from './service.ts'

/** A setting of the run's own service: it is set, listed, got and deleted. */

const setting = { name: 'max_threads', value: 8 } as const

const get = 'cloud:clickhouseSetting.get'
const list = 'cloud:clickhouseSetting.list'

export const { steps } = visit('cloud', 'ClickHouse setting', run => {
  const place = { within: service, values: { settingName: setting.name } } as const
  const after = (written: Line, isListed: boolean) => ({
    ...place,
    from: [written],
    poll: {
      after: [written],
      withinSeconds: 60,
      until: (exchange: Exchange) => !isSuccess(exchange) || hasSetting(exchange) === isListed,
    },
  })
  run.call('clickhouseSetting.schema', { ...place, why: 'gets the settings that can be set' })
  const set = run.call('clickhouseSetting.update', { ...place, body: { settings: { [setting.name]: setting.value } } })
  const listed = run.call('clickhouseSetting.list', after(set, true))
  run.call('clickhouseSetting.get', { ...place, from: [listed] })
  const deleted = run.call('clickhouseSetting.delete', { ...place, why: 'resets the setting to its default' })
  run.call('clickhouseSetting.list', {
    ...after(deleted, false),
    name: 'clickhouseSetting.list-after-delete',
    why: 'lists the settings without the deleted one',
  })
})

const valuesIn = ({ json }: Exchange): readonly unknown[] => {
  const payload = payloadOf(json)
  const all = isObject(payload) && Array.isArray(payload.settings) ? payload.settings : [payload]
  return all.filter(isObject).flatMap(({ name, value }) => (name === setting.name ? [value] : []))
}
const hasSetting = (exchange: Exchange) => valuesIn(exchange).length > 0

const shows = (written: string, reads: readonly string[], expected: readonly number[]): Check =>
  ofOwnRun(
    eachSuccess([written, ...reads], (exchange, evidence) => {
      if (exchange.step === written || !evidence.exchangesOf(written).some(isSuccess)) return undefined
      const got = valuesIn(exchange)
      // In an older edition of the vendor's document, values are texts.
      if (got.map(String).join() === expected.map(String).join()) return []
      return [{ expected: `${setting.name}: ${expected[0] ?? 'no value'}`, got: got[0] ?? 'none' }]
    }),
  )

export const checks = {
  'clickhouseSetting/types': observe([get], ([exchange]) => {
    const [value] = valuesIn(exchange)
    if (value === undefined) return undefined
    return typeof value === 'string' ? 'text' : 'native'
  }),
  'clickhouseSetting/set-is-got': shows('cloud:clickhouseSetting.update', [list, get], [setting.value]),
  'clickhouseSetting/deleted-is-not-listed': shows(
    'cloud:clickhouseSetting.delete',
    ['cloud:clickhouseSetting.list-after-delete'],
    [],
  ),
} as const satisfies Record<string, Check>
