import { setupWorker } from 'msw/browser'
import { createFetchClient, verify } from 'stack-parity/contract-tests'
import { createMock, createMswHandlers } from 'stack-parity/mock-server'

// Uses the package as a user's page would: only its exports and a worker.
const mock = createMock()
await setupWorker(...createMswHandlers(mock)).start({ quiet: true, onUnhandledRequest: 'bypass' })

window.target = mock.target()
window.verify = () => verify({ target: mock.target(), client: createFetchClient() })
