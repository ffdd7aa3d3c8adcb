import { type Check, notJudged, notReadToEnd } from '../../engine/check.ts'
import { isReadToEnd, listIn } from '../../engine/pages.ts'
import { eachPair } from '../../rules/operations.ts'
import { heldUnless } from '../../rules/steps.ts'
import { visit } from '../../visits/visit.ts'

export const checks = {
  'quota/services-are-counted': eachPair(
    ['quota.list', 'service.list'],
    (quotas, services) => {
      const quota = listIn(quotas, 'quota')?.find(({ quotaCode }) => quotaCode === 'services-per-organization')
      const listed = listIn(services, 'service')
      if (!listed) return undefined
      if (quota?.usage === undefined) return notJudged('no quota shows how many services there are')
      if (!isReadToEnd(services, 'service')) return notReadToEnd(services)
      const expected = `the number of services that are listed, ${listed.length}`
      const finding = quota.usage === listed.length ? undefined : { path: '$.usage', expected, got: quota.usage }
      return heldUnless(finding, [quotas, services])
    },
    { unlessWritten: ['service'], lines: ['cloud:service.list-before'] },
  ),
} as const satisfies Record<string, Check>

export const { steps } = visit('cloud', 'quota', run => {
  // Sent before the run creates a service, as is `service.list-before`, with which the quota is compared.
  run.call('quota.list', { before: ['cloud:service.create-main'] })
})
