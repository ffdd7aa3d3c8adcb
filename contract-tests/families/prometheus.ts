import type { Check } from '../engine/check.ts'
import { isSuccess } from '../engine/exchange.ts'
import { readExposition } from '../engine/exposition.ts'
import { isObject } from '../engine/recognise.ts'
import type { Step } from '../engine/step.ts'
import { agrees, each, eachSuccess, together } from '../rules/steps.ts'
import { after, asking, call } from './calls.ts'

const whole = 'cloud:servicePrometheus.get'
const filtered = 'cloud:servicePrometheus-filtered'
const scraped = 'cloud:prometheusTarget-scrape'
const scrapes = ['cloud:organizationPrometheus.get', whole, filtered]

export const checks = {
  'prometheus/is-plain-text': eachSuccess(scrapes, ({ response }) => {
    const type = response.headers['content-type'] ?? ''
    return /^text\/plain\b/i.test(type) ? [] : [{ path: 'content-type', expected: 'text/plain', got: type }]
  }),
  'prometheus/parses': eachSuccess(scrapes, ({ response }) => {
    const { wrong } = readExposition(response.text)
    return wrong ? [wrong] : []
  }),
  'prometheusTarget/leads-to-metrics': each([scraped], ({ response, json }) => {
    if (response.status >= 400) return undefined
    return json === undefined ? [] : [{ expected: 'metrics', got: 'JSON' }]
  }),
  'prometheus/filtered-is-a-part': together([whole, filtered], ([all, part]) => {
    if (!all || !isSuccess(all) || !part || !isSuccess(part)) return undefined
    const known = readExposition(all.response.text).families
    const added = [...readExposition(part.response.text).families].find(name => !known.has(name))
    return agrees(added === undefined ? added : { expected: 'a family that all metrics have', got: added }, '', part)
  }),
} as const satisfies Record<string, Check>

const scrape = call('servicePrometheus.get')
const targets = call('prometheusTarget.list')

export const steps: readonly Step[] = [
  call('organizationPrometheus.get'),
  scrape,
  asking(scrape, () => 'filtered_metrics=true', filtered),
  targets,
  {
    ...targets,
    name: scraped,
    operation: 'servicePrometheus.get',
    phase: 1,
    why: 'scrapes the first target as Prometheus does',
    from: [targets.name],
    draft: after(targets.name, past => {
      const json = past.exchange(targets.name)?.json
      const [first] = Array.isArray(json) ? json.filter(isObject) : []
      const { __metrics_path__: path, __param_filtered_metrics: filtered } = isObject(first?.labels) ? first.labels : {}
      if (typeof path !== 'string' || !path.startsWith('/v1/')) return { skip: 'no target has a path below /v1' }
      return { path: `${path}?filtered_metrics=${filtered}` }
    }),
  },
]
