import type { Check } from '../../engine/check.ts'
import { isSuccess } from '../../engine/exchange.ts'
import { readExposition } from '../../engine/exposition.ts'
import { listIn } from '../../engine/pages.ts'
import { isObject, objectsIn } from '../../engine/recognise.ts'
import { checkOf, each, eachSuccess, heldUnless, judgeTogether } from '../../rules/steps.ts'
import { skip, visit } from '../../visits/visit.ts'

const allMetrics = 'cloud:servicePrometheus.get'
const filteredMetrics = 'cloud:servicePrometheus-filtered'
const scraped = 'cloud:prometheusTarget-scrape'
const scrapes = ['organizationPrometheus.get', 'postgresPrometheus.get', 'organizationPostgresPrometheus.get']
  .map(name => `cloud:${name}`)
  .concat(allMetrics, filteredMetrics)

export const checks = {
  'prometheus/is-plain-text': eachSuccess(scrapes, ({ response }) => {
    const type = response.headers['content-type'] ?? ''
    return /^text\/plain\b/i.test(type) ? [] : [{ path: 'content-type', expected: 'text/plain', got: type }]
  }),
  'prometheus/parses': checkOf([...scrapes, 'service.list-before', 'postgres.list-before'], (_, evidence) => {
    const isRunning = (operation: string, path: string) => {
      const resource = /postgres/i.test(operation) ? 'postgres' : 'service'
      const list = listIn(evidence.exchangesOf(`cloud:${resource}.list-before`)[0], resource) ?? []
      const running = list.filter(({ state }) => state === 'running')
      return running.some(({ id }) => operation.startsWith('organization') || path.includes(`/${id}/`))
    }
    return eachSuccess(scrapes, ({ operation, request, response }) => {
      const { finding: wrong, families } = readExposition(response.text)
      if (wrong) return [wrong]
      const isEmpty = families.size === 0 && isRunning(String(operation), request.path)
      return isEmpty ? [{ expected: 'metrics of the running services', got: 'none' }] : []
    }).judge(evidence)
  }),
  'prometheus/families-are-described': eachSuccess(scrapes, ({ response }) => {
    const [family] = readExposition(response.text).undescribed
    return family === undefined
      ? []
      : [{ expected: `the type and the help of ${family}`, got: 'only one of them, or none' }]
  }),
  'prometheus/counters-never-fall': eachSuccess(scrapes, ({ step, response }, { exchangesOf }) => {
    const [first] = step === filteredMetrics ? exchangesOf(allMetrics) : []
    const before = isSuccess(first) ? readExposition(first.response.text).counters : new Map<string, number>()
    const fallen = [...readExposition(response.text).counters].find(
      ([series, value]) => value < Math.max(0, before.get(series) ?? 0),
    )
    if (!fallen) return []
    return [{ path: fallen[0], expected: `at least ${before.get(fallen[0]) ?? 0}`, got: fallen[1] }]
  }),
  'prometheusTarget/leads-to-metrics': each([scraped], ({ response, json }) => {
    if (response.status >= 400) return undefined
    return json === undefined ? [] : [{ expected: 'metrics', got: 'JSON' }]
  }),
  'prometheus/filtered-is-a-part': judgeTogether([allMetrics, filteredMetrics], ([all, part]) => {
    if (!isSuccess(all) || !isSuccess(part)) return undefined
    const known = readExposition(all.response.text).families
    const added = [...readExposition(part.response.text).families].find(name => !known.has(name))
    const expected = 'a family that the unfiltered metrics have, too'
    return heldUnless(added === undefined ? undefined : { expected, got: added }, [part])
  }),
} as const satisfies Record<string, Check>

export const { steps } = visit('cloud', 'Prometheus', run => {
  const all = run.call('servicePrometheus.get')
  run.call('servicePrometheus.get', {
    name: 'servicePrometheus-filtered',
    after: [all],
    query: () => ({ filtered_metrics: 'true' }),
  })
  const targets = run.call('prometheusTarget.list')
  run.add({
    ...run.make('servicePrometheus.get', { name: 'prometheusTarget-scrape', ifSucceeds: targets }),
    why: 'scrapes the first target as Prometheus does',
    makeRequest: context => {
      const json = context.exchange(targets)?.json
      const [first] = objectsIn(json)
      const { __metrics_path__: path, __param_filtered_metrics: filtered } = isObject(first?.labels) ? first.labels : {}
      if (typeof path !== 'string' || !path.startsWith('/v1/')) return skip('no target has a path below /v1')
      return { path: filtered === undefined ? path : `${path}?filtered_metrics=${filtered}` }
    },
  })
})
