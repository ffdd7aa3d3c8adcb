import type { Check } from '../../engine/check.ts'
import type { Step } from '../../engine/step.ts'
import { optionalSteps } from '../../visits/optional.ts'
import { inOwnService, stepsOn } from '../../visits/singleton.ts'
import { neverShows } from '../calls.ts'

const secret = { secretAccessKey: 'stack-parity' }
const body = {
  ...{ bucketProvider: 'GCP', bucketPath: 'https://storage.googleapis.com/stack-parity.invalid/nightly' },
  accessKeyId: 'stack-parity',
  ...secret,
}
const resource = 'backupBucket'

export const checks = {
  'backupBucket/secrets-are-never-shown': neverShows(
    ['secretAccessKey', 'connectionString'],
    ['create', 'get', 'update'].map(verb => `cloud:${resource}.${verb}`),
  ),
} as const satisfies Record<string, Check>

const step = stepsOn({ resource, within: inOwnService })

export const steps: readonly Step[] = [
  ...optionalSteps({ resource, within: inOwnService, body }),
  {
    // The secret always comes with a change; another one is not to be seen.
    ...step('update', 'backupBucket.update', 13, 'changes the secret of the bucket', () => secret),
    from: [inOwnService.serviceId, `cloud:${resource}.create`],
  },
]
