import { isLocal } from '../../engine/target/target.ts'
import { visit } from '../../visits/visit.ts'

export const { steps } = visit('cloud', 'BYOC', run => {
  // Nothing is created: the account is an example's, so beyond loopback nobody is asked for its permissions.
  run.call('byocInfrastructure.validate', {
    values: ({ target }) => (isLocal(target) ? {} : undefined),
    body: { regionId: 'eu-central-1', accountId: '957102927053' },
    otherwise: 'the account of the example is nobody’s, so it is sent on loopback only',
  })
})
