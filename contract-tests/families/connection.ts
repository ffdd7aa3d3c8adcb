import { lifeOf } from '../visits/life.ts'
import { visit } from '../visits/visit.ts'

/** Connections to a database that does not exist. */
export const { steps } = visit('selfHosted', 'connection', run => {
  lifeOf(run, 'connection', {
    body: (context, name) => ({
      name,
      host: 'http://stack-parity.invalid:8123',
      username: 'default',
      // No other request has the reversed mark, so an answer that shows it shows the password.
      password: [...context.runMark].reverse().join(''),
    }),
  }).live()
})
