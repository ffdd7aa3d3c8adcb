import type { Form } from '../../fixtures/contract/index.ts'
import { absent, broken, type Check, describe, held, notApplicable } from '../engine/check.ts'
import { isWhole, listIn } from '../engine/pages.ts'
import type { Step } from '../engine/step.ts'
import { answersAsDocumented } from '../rules/documented.ts'
import { listAgreesWithGet, read } from './reads.ts'

const counted = ['cloud:quota.list', 'cloud:service.list-before'] as const

const servicesAreCounted: Check = {
  reads: () => counted,
  judge: evidence => {
    const [quotas, services] = counted.map(step => evidence.of(step)[0])
    const quota = listIn(quotas, 'quota')?.find(({ quotaCode }) => quotaCode === 'services-per-organization')
    const listed = listIn(services, 'service')
    if (!quotas || !services || !listed) return absent(evidence, ...counted)
    if (quota?.usage === undefined) return notApplicable('no quota shows how many services there are')
    if (!isWhole(services, 'service')) return notApplicable('the list of services could not be read to its end')
    const expected = `the number of services that are listed, ${listed.length}`
    return quota.usage === listed.length
      ? held([quotas])
      : broken(describe({ path: '$.usage', expected, got: quota.usage }, quotas), quotas, services)
  },
}

export const checks = {
  'quota/list-answers': answersAsDocumented('quota.list'),
  'quota/get-answers': answersAsDocumented('quota.get'),
  'quota/list-agrees-with-get': listAgreesWithGet('quota'),
  'quota/services-are-counted': servicesAreCounted,
} as const satisfies Record<string, Check>

export const steps = (form: Form): readonly Step[] =>
  form === 'cloud' ? [read('quota.list'), read('quota.get', 'quota.list')] : []
