import type { Step } from '../../engine/step.ts'
import { isLocal } from '../../engine/target/target.ts'
import { call } from '../calls.ts'

const step = call('byocInfrastructure.validate')

/** Nothing is created: the account is an example's, so beyond loopback nobody is asked for its permissions. */
export const steps: readonly Step[] = [
  {
    ...step,
    draft: past => {
      const draft = step.draft(past)
      if (!isLocal(past.target))
        return { skip: 'the account of the example is nobody’s, so it is sent on loopback only' }
      return 'path' in draft ? { ...draft, body: { regionId: 'eu-central-1', accountId: '957102927053' } } : draft
    },
  },
]
