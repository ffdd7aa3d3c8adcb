import { createServer } from 'node:https'
import type { AddressInfo } from 'node:net'
import { describe, expect, it, onTestFinished } from 'vitest'
import { startMock } from '../../../mock-server/faces/serve.ts'
import type { TargetFile } from '../../engine/target/target.ts'
import { withControl } from '../control.ts'
import { createCertificate } from './certificate.ts'
import { createFolder, runCommand, startCommand } from './run-command.ts'
import { type Intercept, startProxy } from './start-proxy.ts'

/** Verify first sends one request to each form, and judges no form whose answer shows a mistake in the target file. */

/** A mock behind two proxies that record requests, one for each address. */
async function start(own?: Intercept) {
  const mock = await startMock()
  onTestFinished(mock.close)
  const { cloud, selfHosted } = mock.target()
  const [cloudProxy, selfHostedProxy] = [
    await startProxy(cloud!.baseUrl, own),
    await startProxy(selfHosted!.baseUrl, own),
  ]
  const target = {
    cloud: { ...cloud!, baseUrl: cloudProxy.baseUrl },
    selfHosted: { ...selfHosted!, baseUrl: selfHostedProxy.baseUrl },
  }
  return { target: await withControl(target, mock.target()), cloudProxy, selfHostedProxy }
}

const linesOf = (text: string) => text.split('\n').filter(line => line.trim() !== '')
const verify = (target: unknown, ...args: string[]) =>
  runCommand('verify', '--target', createFolder().write('target.json', target), ...args)

describe('stack-parity verify', () => {
  it('sends one request to each address when credentials are refused, and names the variables of the credentials', async () => {
    const { target, cloudProxy, selfHostedProxy } = await start()
    const wrong = {
      cloud: { ...target.cloud, keyId: '$CLOUD_KEY_ID', keySecret: '$CLOUD_KEY_SECRET' },
      selfHosted: { ...target.selfHosted, apiKey: 'not-the-api-key' },
    }
    const file = createFolder().write('target.json', wrong)
    const env = { CLOUD_KEY_ID: target.cloud.keyId, CLOUD_KEY_SECRET: 'not-the-one' }
    const { status, stdout } = await startCommand(['verify', '--target', file], env).finished
    expect([cloudProxy.requests.length, selfHostedProxy.requests.length]).toEqual([1, 1])
    expect(status).toBe(2)
    expect(linesOf(stdout)).toEqual([
      expect.stringMatching(
        /^cloud, managed not judged \(\d+ must rules\): the credentials were refused \(401 to GET \S+\/members\): check \$CLOUD_KEY_ID and \$CLOUD_KEY_SECRET$/,
      ),
      expect.stringMatching(
        /^self-hosted not judged \(\d+ must rules\): the credentials were refused \(401 to GET \S+\): check selfHosted\.apiKey$/,
      ),
      expect.stringContaining('0 held, 0 broken'),
    ])
  })

  it('still judges the managed form when the key may not list members', async () => {
    const { target, cloudProxy } = await start(({ url }) =>
      url?.endsWith('/members') ? { status: 403, body: { status: 403, error: 'FORBIDDEN' } } : undefined,
    )
    const { status, stdout } = await verify(
      { cloud: target.cloud, control: target.control },
      '--rule',
      'member/',
      '--rule',
      'dashboard/',
    )
    expect(status).toBe(2)
    expect(stdout).toMatch(
      /^cloud not judged .*\(403 to GET .*check cloud\.keyId and cloud\.keySecret, and what that key may do$/m,
    )
    expect(stdout).toContain('✓ dashboard/list-answers')
    expect(cloudProxy.requests.filter(request => request.endsWith('/members'))).toHaveLength(1)
  })

  it('reports an unknown organization as a mistake of the target file, not as broken rules', async () => {
    const { target, cloudProxy } = await start()
    const cloud = { ...target.cloud, organizationId: crypto.randomUUID() }
    const { status, stdout } = await verify({ cloud, control: target.control })
    expect([status, cloudProxy.requests.length]).toEqual([2, 4])
    expect(linesOf(stdout)).toEqual([
      expect.stringMatching(
        /^cloud, managed not judged .*the organization is not known there \(404 to GET \S+\): check cloud\.organizationId$/,
      ),
      expect.stringContaining('0 held, 0 broken'),
    ])
  })

  it('reports a missing list of members as a broken rule when a backup shows that the organization exists', async () => {
    const { target } = await start(({ url }) =>
      url?.endsWith('/members') ? { status: 404, body: { status: 404, error: 'NOT_FOUND' } } : undefined,
    )
    const { status, stdout } = await verify({ cloud: target.cloud, control: target.control }, '--rule', 'member/')
    expect([status, stdout]).toEqual([1, expect.stringContaining('✗ member/list-answers-200')])
  })

  it('reports a service that is unknown and not listed as a mistake of the target file', async () => {
    const { target } = await start(({ url }) =>
      url?.endsWith('/services') ? { status: 404, body: { status: 404, error: 'NOT_FOUND' } } : undefined,
    )
    const { status, stdout } = await verify(
      { cloud: { ...target.cloud, serviceId: crypto.randomUUID() }, control: target.control },
      '--forms',
      'managed',
    )
    expect([status, linesOf(stdout)]).toEqual([
      2,
      [
        expect.stringMatching(
          /^managed not judged .*\(404 to GET \S+\): check cloud\.organizationId, cloud\.serviceId and cloud\.observabilitySegment, or list managed under notOffered$/,
        ),
        expect.stringContaining('0 held, 0 broken'),
      ],
    ])
  })

  it('says that the address of another API leads to something else', async () => {
    const { target } = await start()
    const { baseUrl } = target.cloud
    const { status, stdout } = await verify({ selfHosted: { ...target.selfHosted, baseUrl } })
    const sentence = 'leads to something else: nothing there answers as this API does (404, application/json'
    expect([status, stdout]).toEqual([2, expect.stringContaining(`${baseUrl} ${sentence}`)])
    expect(stdout).toContain('0 held, 0 broken')
  })

  it.each(['nothing', 'silence'] as const)('still judges a target whose first answer is %s', async answer => {
    const { target } = await start((_, count) => (count === 1 ? answer : undefined))
    const { status, stdout } = await verify(target, '--rule', 'member/', '--rule', 'alert/list', '--timeout', '700')
    expect([status, stdout]).toEqual([0, expect.stringContaining(' 0 broken, ')])
  })

  it('names NODE_EXTRA_CA_CERTS for an untrusted certificate, and trusts the certificate with it', async () => {
    const { key, cert } = await createCertificate()
    const requests: string[] = []
    const server = createServer({ key, cert }, (request, response) => {
      requests.push(request.url!)
      response.writeHead(401).end()
    })
    await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
    onTestFinished(() => void server.close())
    const baseUrl = `https://127.0.0.1:${(server.address() as AddressInfo).port}`
    const folder = createFolder()
    const args = ['verify', '--target', folder.write('target.json', { selfHosted: { baseUrl, apiKey: 'a-key' } })]
    const { status, stdout } = await startCommand(args).finished
    expect([status, requests]).toEqual([2, []])
    expect(linesOf(stdout)).toEqual([
      expect.stringMatching(
        /^self-hosted not judged .*: the certificate of https:\S+ is not trusted \(self-signed certificate.*\): name the file .* in NODE_EXTRA_CA_CERTS$/,
      ),
      expect.stringContaining('0 held, 0 broken'),
    ])
    const trusting = await startCommand(args, { NODE_EXTRA_CA_CERTS: folder.write('authority.pem', cert) }).finished
    expect([trusting.stdout, requests]).toEqual([
      expect.stringContaining('(401 to GET /api/v2/dashboards)'),
      ['/api/v2/dashboards'],
    ])
  })

  it('prints the first request to a form at the top of --plan, even when no step sends the same', async () => {
    const { target, cloudProxy, selfHostedProxy } = await start()
    const { stdout } = await verify(
      { selfHosted: target.selfHosted, control: target.control },
      '--plan',
      '--section',
      '2.5',
    )
    expect(linesOf(stdout).slice(0, 2)).toEqual([
      'GET     /api/v2/dashboards',
      '        selfHosted:look: checks whether the form answers at all',
    ])
    expect([...cloudProxy.requests, ...selfHostedProxy.requests]).toEqual([])
  })
})

describe('stack-parity verify with a target file that lacks ids', () => {
  const organization = (target: TargetFile) => `/v1/organizations/${target.cloud!.organizationId}`
  const answerList = (...ids: string[]) => ({
    status: 200,
    body: { status: 200, requestId: crypto.randomUUID(), result: ids.map(id => ({ id, name: 'found' })) },
  })

  /** A cloud that lists organizations, services and backups; only the second service has a backup. */
  async function startListing() {
    let target: TargetFile = {}
    const started = await start(({ url, headers, method }) => {
      const { organizationId = '', serviceId = '', backupId = '' } = target.cloud ?? {}
      const other = '00000000-0000-4000-8000-000000000001'
      if (method !== 'GET' || !headers.authorization) return undefined
      if (url === '/v1/organizations') return answerList(organizationId)
      if (url === `${organization(target)}/services`) return answerList(other, serviceId)
      if (url === `${organization(target)}/services/${other}/backups`) return answerList()
      if (url === `${organization(target)}/services/${serviceId}/backups`) return answerList(backupId)
      return undefined
    })
    target = started.target
    return started
  }

  it('reads organization, service and backup from lists', async () => {
    const { target } = await startListing()
    const { baseUrl, keyId, keySecret } = target.cloud
    const { apiKey, ingestionKey } = target.selfHosted
    const selfHosted = { baseUrl: target.selfHosted.baseUrl, apiKey, ingestionKey }
    const { stdout } = await verify(
      { cloud: { baseUrl, keyId, keySecret }, selfHosted, control: target.control },
      '--rule',
      'backup/',
    )
    // The lists of this deployment accept any credentials, which breaks other rules.
    expect(stdout).toContain('✓ backup/get-answers-200')
  })

  it('finds the service that a given backup belongs to', async () => {
    const { target, cloudProxy } = await startListing()
    const { baseUrl, keyId, keySecret, organizationId, backupId, serviceId } = target.cloud
    const { status } = await verify(
      { cloud: { baseUrl, keyId, keySecret, organizationId, backupId }, control: target.control },
      '--section',
      '2.3',
    )
    expect(status).toBe(0)
    expect(cloudProxy.requests).toContain(`GET ${organization(target)}/services/${serviceId}/backups/${backupId}`)
  })
})
