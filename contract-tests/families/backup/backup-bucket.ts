import type { Check } from '../../engine/check.ts'
import type { Step } from '../../engine/step.ts'
import { optionalSteps } from '../../visits/optional.ts'
import { stepsOn } from '../../visits/singleton.ts'
import { neverShows } from '../calls.ts'

const secret = { secretAccessKey: 'stack-parity' }
const body = {
  ...{ bucketProvider: 'GCP', bucketPath: 'https://storage.googleapis.com/stack-parity.invalid/nightly' },
  accessKeyId: 'stack-parity',
  ...secret,
}
const resource = 'backupBucket'
const within = { serviceId: 'cloud:service.create-main' }

export const checks = {
  'backupBucket/secrets-are-never-shown': neverShows(
    ['secretAccessKey', 'connectionString'],
    ['create', 'get', 'update'].map(verb => `cloud:${resource}.${verb}`),
  ),
} as const satisfies Record<string, Check>

const step = stepsOn({ resource, within })

export const steps: readonly Step[] = [
  ...optionalSteps({ resource, within, body }),
  {
    // The secret always comes with a change; another one is not to be seen.
    ...step('update', 'backupBucket.update', 13, 'changes the secret of the bucket', () => secret),
    from: [...Object.values(within), `cloud:${resource}.create`],
  },
]
