// A first program of a user who has installed nothing but the package. Node runs it, and the compiler checks its types.
import { conformance } from 'stack-parity/contract-tests'
import { createMock, startMock } from 'stack-parity/mock-server'

const mock = createMock()
const { cloud } = mock.target()
if (!cloud) throw new Error('The mock has no cloud API.')

const { baseUrl, organizationId, keyId, keySecret } = cloud
const response = await mock.fetch(`${baseUrl}/v1/organizations/${organizationId}/members`, {
  headers: { authorization: `Basic ${btoa(`${keyId}:${keySecret}`)}` },
})
/** @type {import('stack-parity/types').Answer<'GET /v1/organizations/{organizationId}/members'>} */
const { result } = await response.json()
/** @type {readonly ('admin' | 'developer')[]} */
const roles = result.map(({ role }) => role)
if (roles.length !== 10) throw new Error(`The mock has ${roles.length} members.`)
// @ts-expect-error: a member has no such field. Without types, this line would be no error.
if (result[0]?.rank) throw new Error('A member has a rank.')

const running = await startMock()
const health = await fetch(`${running.target().selfHosted?.baseUrl}/health`)
if (!health.ok) throw new Error(`A started mock answers ${health.status}.`)
await running.close()

/** @type {string[]} */
const titles = []
conformance({ target: mock.target, describe: (_, register) => register(), test: title => titles.push(title) })
if (!titles.some(title => title.startsWith('must '))) throw new Error('The suite has no must rule.')
