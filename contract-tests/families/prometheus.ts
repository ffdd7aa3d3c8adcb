import type { Form } from '../../fixtures/contract/index.ts'
import { absent, type Check, judgeEach } from '../engine/check.ts'
import { isSuccess } from '../engine/exchange.ts'
import { readExposition } from '../engine/exposition.ts'
import type { Step } from '../engine/step.ts'
import { answers } from '../rules/observations.ts'
import { asking, read } from './reads.ts'

const [ofOrganization, ofService] = ['cloud:organizationPrometheus.get', 'cloud:servicePrometheus.get']
const filtered = 'cloud:servicePrometheus-filtered'
const scrapes = [ofOrganization, ofService, filtered]

export const checks = {
  'organizationPrometheus/get-answers': answers(() => [ofOrganization]),
  'servicePrometheus/get-answers': answers(() => [ofService]),
  'prometheus/is-plain-text': {
    reads: () => scrapes,
    judge: evidence =>
      judgeEach(
        evidence.of(...scrapes).filter(isSuccess),
        ({ response }) => {
          const type = response.headers['content-type'] ?? ''
          return /^text\/plain\b/i.test(type) ? [] : [{ path: 'content-type', expected: 'text/plain', got: type }]
        },
        () => absent(evidence, ...scrapes),
      ),
  },
  'prometheus/parses': {
    reads: () => scrapes,
    judge: evidence =>
      judgeEach(
        evidence.of(...scrapes).filter(isSuccess),
        ({ response }) => {
          const { wrong } = readExposition(response.text)
          return wrong ? [wrong] : []
        },
        () => absent(evidence, ...scrapes),
      ),
  },
  'prometheus/filtered-is-a-part': {
    reads: () => [ofService, filtered],
    judge: evidence => {
      const [whole] = evidence.of(ofService).filter(isSuccess)
      const all = whole && readExposition(whole.response.text).families
      return judgeEach(
        evidence.of(filtered).filter(isSuccess),
        ({ response }) => {
          const added = [...readExposition(response.text).families].filter(name => !all?.has(name))
          return all && added.map(got => ({ expected: 'a family that all metrics have', got }))
        },
        () => absent(evidence, ofService, filtered),
      )
    },
  },
} as const satisfies Record<string, Check>

export const steps = (form: Form): readonly Step[] =>
  form === 'cloud'
    ? [
        read('organizationPrometheus.get'),
        read('servicePrometheus.get'),
        asking(read('servicePrometheus.get'), () => 'filtered_metrics=true', filtered),
      ]
    : []
