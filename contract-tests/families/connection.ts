import { lifeOf } from '../visits/life.ts'
import { visit } from '../visits/visit.ts'

/** Connections to a database that does not exist. */
export const { steps } = visit('selfHosted', 'connection', run => {
  lifeOf(run, 'connection', {
    body: (context, name) => ({
      name,
      host: 'http://stack-parity.invalid:8123',
      username: 'default',
      // A text that is in no other request.
      password: [...context.runMark].reverse().join(''),
    }),
  }).live()
})
