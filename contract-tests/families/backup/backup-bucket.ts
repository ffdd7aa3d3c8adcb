import type { Form } from '../../../fixtures/contract/index.ts'
import type { Check } from '../../engine/check.ts'
import type { Step } from '../../engine/step.ts'
import { answersAsDocumented } from '../../rules/documented.ts'
import { optional } from '../../rules/optional.ts'
import { optionalSteps } from '../../visits/optional.ts'
import { stepsOn } from '../../visits/singleton.ts'
import { neverShows } from '../reads.ts'

const secret = { secretAccessKey: 'stack-parity' }
const body = {
  ...{ bucketProvider: 'GCP', bucketPath: 'https://storage.googleapis.com/stack-parity.invalid/nightly' },
  accessKeyId: 'stack-parity',
  ...secret,
}
const resource = 'backupBucket'
const within = { serviceId: 'cloud:service.create-main' }

export const checks = {
  ...optional('backupBucket'),
  'backupBucket/update-answers': answersAsDocumented('backupBucket.update'),
  'backupBucket/secrets-are-never-shown': neverShows(
    ['secretAccessKey', 'connectionString'],
    ['create', 'get', 'update'].map(verb => `cloud:${resource}.${verb}`),
  ),
} as const satisfies Record<string, Check>

export function steps(form: Form): readonly Step[] {
  if (form !== 'cloud') return []
  // The secret always comes with a change; another one is not to be seen.
  const update = stepsOn({ resource, within })(
    ...(['update', 'backupBucket.update', 13, 'changes the secret of the bucket', () => secret] as const),
  )
  return [
    ...optionalSteps({ resource, within, body }),
    { ...update, from: [...Object.values(within), `cloud:${resource}.create`] },
  ]
}
