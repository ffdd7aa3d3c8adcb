import type { Check } from '../engine/check.ts'
import { isSuccess } from '../engine/exchange.ts'
import { readExposition } from '../engine/exposition.ts'
import type { Step } from '../engine/step.ts'
import { agrees, eachSuccess, together } from '../rules/steps.ts'
import { asking, call } from './calls.ts'

const whole = 'cloud:servicePrometheus.get'
const filtered = 'cloud:servicePrometheus-filtered'
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
  'prometheus/filtered-is-a-part': together([whole, filtered], ([all, part]) => {
    if (!all || !isSuccess(all) || !part || !isSuccess(part)) return undefined
    const known = readExposition(all.response.text).families
    const added = [...readExposition(part.response.text).families].find(name => !known.has(name))
    return agrees(added === undefined ? added : { expected: 'a family that all metrics have', got: added }, '', part)
  }),
} as const satisfies Record<string, Check>

const scrape = call('servicePrometheus.get')

export const steps: readonly Step[] = [
  call('organizationPrometheus.get'),
  scrape,
  asking(scrape, () => 'filtered_metrics=true', filtered),
]
