import { lifeOf } from '../visits/life.ts'
import { visit } from '../visits/visit.ts'

/** Connections to a database that is nowhere. */
export const { steps } = visit('selfHosted', 'connection', run => {
  lifeOf(run, 'connection', {
    body: (_, name) => ({
      name,
      host: 'http://stack-parity.invalid:8123',
      username: 'default',
      password: 'stack-parity',
    }),
  }).live()
})
