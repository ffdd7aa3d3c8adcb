import { beforeAll, describe, expect, it } from 'vitest'
import { type Form, rules } from '../../../fixtures/built-contract/index.ts'
import { createMock } from '../../../mock-server/index.ts'
import { type Examination, examine } from '../../run/verify.ts'
import { createDirectClient, directTarget } from '../direct-client.ts'
import { judgeChanged, judgeFieldMutants } from './field-mutants.ts'
import { isObject } from './route.ts'

/** One run on the newer edition, whose answers are changed and judged again. `EVERY=1` takes all mutants of fields: half a minute. */

const edition = { 'version/self-hosted-edition': '2.36' }
const whole = Object.entries(rules).filter(([id]) => id.endsWith('/whole-is-kept'))

let recorded: Examination
beforeAll(async () => {
  const mock = createMock({ logs: 1000, as: { choices: { managed: edition, selfHosted: edition } } })
  recorded = await examine({
    target: directTarget(mock),
    client: createDirectClient(mock),
    allowEffects: ['disrupts', 'costs', 'notifies', 'grants'],
    rules: whole.map(([id]) => id),
  })
})

/** Changes the text of a record. */
const inText = (pattern: RegExp, by: string) => (record: unknown) =>
  JSON.parse(JSON.stringify(record).replace(pattern, by))
/** Drops a field at any depth. */
const without = (name: string) => (record: unknown) =>
  JSON.parse(JSON.stringify(record, (key, value) => (key === name ? undefined : value)))
const withoutTiles = (displayType: string) => (record: unknown) =>
  JSON.parse(
    JSON.stringify(record, (_, value) =>
      Array.isArray(value) ? value.filter(one => one?.config?.displayType !== displayType) : value,
    ),
  )

describe('the suite on whole bodies', () => {
  it('finds nothing broken without a mutant', () => {
    expect(recorded.report.rules.filter(({ outcome }) => outcome !== 'held').map(({ id }) => id)).toEqual([])
  })

  it.each<[string, string, (record: unknown) => unknown, string]>([
    ['drops numberFormat', 'dashboard', without('numberFormat'), 'numberFormat'],
    ['drops containers', 'dashboard', without('containers'), '$.containers'],
    ['drops containerId', 'dashboard', without('containerId'), 'containerId'],
    ['loses heat maps', 'dashboard', withoutTiles('heatmap'), '$.tiles'],
    ['loses pies', 'dashboard', withoutTiles('pie'), '$.tiles'],
    ['takes \u00fc for u', 'dashboard', inText(/\u00fc/g, 'u'), '$.'],
    [
      'keeps the tile of an alert that watches a search',
      'alert',
      record =>
        isObject(record) && record.source === 'saved_search' ? { ...record, tileId: 'x', dashboardId: 'y' } : record,
      '$.tileId',
    ],
  ])('names a deployment that %s', (_, resource, change, place) => {
    for (const form of ['managed', 'selfHosted'] as const) {
      const verdict = judgeChanged(recorded, resource, form, ({ json }) => json !== undefined, change)
      expect(verdict?.outcome).toBe('broken')
      expect(verdict?.detail).toContain(place)
    }
  })

  it('notices a field that is dropped, altered, reset or swapped, at any depth, in gets and in lists', {
    timeout: 120_000,
  }, () => {
    const every = Number(process.env.EVERY ?? 17)
    const mutants = whole.flatMap(([id, { forms }]) =>
      forms.flatMap((form: Form) => [...judgeFieldMutants(recorded, id.split('/')[0]!, form, every)]),
    )
    const unnoticed = mutants.filter(({ isNoticed }) => !isNoticed).map(({ id }) => id)
    expect(mutants.length).toBeGreaterThan(200)
    expect(unnoticed.length, `of ${mutants.length}: ${unnoticed.join(', ')}`).toBeLessThan(mutants.length / 50)
  })
})
