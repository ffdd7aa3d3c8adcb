import type { Check } from '../../engine/check.ts'
import { setAndDelete } from '../../visits/singleton.ts'
import { visit } from '../../visits/visit.ts'
import { neverShows } from '../calls.ts'
import { service } from '../service/service.ts'

const secret = { secretAccessKey: 'not-the-secret-of-anybody' }
const body = {
  bucketProvider: 'GCP',
  bucketPath: 'https://storage.googleapis.com/stack-parity.invalid/nightly',
  accessKeyId: 'not-the-key-of-anybody',
  ...secret,
}

export const checks = {
  'backupBucket/secrets-are-never-shown': neverShows('backupBucket.create', 'backupBucket.get', 'backupBucket.update'),
} as const satisfies Record<string, Check>

export const { steps } = visit('cloud', 'backup bucket', run => {
  setAndDelete(run, 'backupBucket', service, body, set => {
    // A change always needs the secret, and no answer shows it.
    run.call('backupBucket.update', {
      within: service,
      from: [set],
      body: secret,
      why: 'changes the secret of the bucket',
    })
  })
})
