import { lifeOf } from '../visits/life.ts'
import { visit } from '../visits/visit.ts'

/** Connections to a database that is nowhere. */
export const { steps } = visit('selfHosted', 'connection', run => {
  lifeOf(run, 'connection', {
    body: (past, name) => ({
      name,
      host: 'http://stack-parity.invalid:8123',
      username: 'default',
      // Nothing else that the run sends has it in it.
      password: [...past.run].reverse().join(''),
    }),
  }).live()
})
