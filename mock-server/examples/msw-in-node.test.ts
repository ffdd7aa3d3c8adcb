import { setupServer } from 'msw/node'
import { createMock } from 'stack-parity/mock-server'
import { createMswHandlers } from 'stack-parity/msw'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { listFiring } from './alerts-client.js'

// The address that the code under test has in production: nothing is sent there.
const mock = createMock({ bases: { selfHosted: 'https://observability.example.com' } })
const server = setupServer(...createMswHandlers(mock))

beforeAll(() => server.listen({ onUnhandledRequest: 'error' }))
beforeEach(() => mock.reset())
afterAll(() => server.close())

test('the global fetch reaches the mock', async () => {
  const { apiKey } = mock.target().selfHosted!
  const firing = await listFiring({ baseUrl: 'https://observability.example.com', apiKey })
  expect(firing).toContain('Declined payments')
})

test('a wrong key is refused', async () => {
  const listing = listFiring({ baseUrl: 'https://observability.example.com', apiKey: 'wrong' })
  await expect(listing).rejects.toThrow('Expected a personal API access key')
})
