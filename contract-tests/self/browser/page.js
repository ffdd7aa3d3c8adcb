import { setupWorker } from 'msw/browser'
import { createFetchClient, verify } from 'stack-parity/contract-tests'
import { createMock, createMswHandlers } from 'stack-parity/mock-server'

// Uses the package as a user's page would: only its exports and a worker.
const mock = createMock()
await setupWorker(...createMswHandlers(mock)).start({ quiet: true, onUnhandledRequest: 'bypass' })

window.target = mock.target()
// A mock in a page has no control plane that shows what it is, so the run is told what it may do.
window.verify = () =>
  verify({
    // The worker leaves paths that are none of the edition to the application, and nothing listens there.
    target: { ...mock.target(), writes: true, notOffered: ['readiness.get'] },
    client: { ...createFetchClient(), wait: milliseconds => mock.moveClock(mock.clock.now() + milliseconds) },
    allowEffects: ['disrupts', 'costs', 'notifies', 'grants'],
    rate: 1000,
  })
