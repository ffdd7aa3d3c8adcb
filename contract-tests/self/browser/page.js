import { setupWorker } from 'msw/browser'
import { createFetchClient, verify } from 'stack-parity/contract-tests'
import { createMock, createMswHandlers } from 'stack-parity/mock-server'

// As a page of a user would: the doors of the package, a worker, and nothing else.
const mock = createMock()
await setupWorker(...createMswHandlers(mock)).start({ quiet: true, onUnhandledRequest: 'bypass' })

window.target = mock.target()
window.verify = () => verify({ target: mock.target(), client: createFetchClient() })
