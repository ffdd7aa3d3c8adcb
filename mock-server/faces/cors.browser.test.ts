import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import type { MockOptions } from '../mock/mock.ts'
import { browserMissing, launchBrowser } from '../testing/launch-browser.ts'
import { startMock } from './serve.ts'

const browser = await launchBrowser()
const site = createServer((_request, response) => response.setHeader('content-type', 'text/html').end('<h1>App</h1>'))
let origin: string
beforeAll(async () => {
  site.listen(0, '127.0.0.1')
  await once(site, 'listening')
  origin = `http://127.0.0.1:${(site.address() as AddressInfo).port}`
})
const endings: (() => unknown)[] = []
afterEach(async () => {
  for (const end of endings.splice(0).reverse()) await end()
})
afterAll(async () => {
  await browser?.close()
  site.closeAllConnections()
  site.close()
})

/** A mock, and a page that was served on another port. */
async function open(options: MockOptions = {}) {
  const running = await startMock(options)
  endings.push(() => running.close())
  const context = await browser!.newContext()
  endings.push(() => context.close())
  const page = await context.newPage()
  await page.goto(origin)
  const { cloud, selfHosted, control } = running.target()
  const { organizationId, serviceId, observabilitySegment } = cloud
  const service = `${cloud.baseUrl}/v1/organizations/${organizationId}/services/${serviceId}`
  return {
    mock: running.mock,
    page,
    members: `${cloud.baseUrl}/v1/organizations/${organizationId}/members`,
    backup: `${service}/backups/${cloud.backupId}`,
    managed: `${service}/${observabilitySegment}`,
    selfHosted: `${selfHosted.baseUrl}/api/v2`,
    control: control!.baseUrl,
    references: { managed: cloud.references!, selfHosted: selfHosted.references! },
    basic: `Basic ${btoa(`${cloud.keyId}:${cloud.keySecret}`)}`,
    bearer: `Bearer ${selfHosted.apiKey}`,
  }
}

interface SentRequest {
  readonly url: string
  readonly method?: string
  readonly authorization?: string
  readonly body?: unknown
  readonly credentials?: 'include'
}

/** What the page gets to see: the answer, or that the browser keeps it from it. */
function call(page: Page, asked: SentRequest) {
  return page.evaluate(async ({ url, method, authorization, body, credentials }) => {
    const headers = {
      ...(authorization && { authorization }),
      ...(body !== undefined && { 'content-type': 'application/json', 'x-of-the-page': '1' }),
    }
    try {
      const response = await fetch(url, { method, headers, credentials, body: JSON.stringify(body) })
      const text = await response.text()
      return { status: response.status, headers: Object.fromEntries(response.headers), json: text && JSON.parse(text) }
    } catch (error) {
      return { status: 0, why: String(error) }
    }
  }, asked)
}

if (!browser) it.skip(browserMissing, () => {})

describe.skipIf(!browser)('a page of another origin, in a browser', () => {
  it('lists, creates, updates and deletes on the managed and the self-hosted form, and reads the cloud', async () => {
    const at = await open()
    expect(await call(at.page, { url: at.members, authorization: at.basic })).toMatchObject({ status: 200 })
    expect(await call(at.page, { url: at.backup, authorization: at.basic })).toMatchObject({ status: 200 })
    for (const [base, authorization, { dashboardId, tileId, webhookId }] of [
      [at.managed, at.basic, at.references.managed],
      [at.selfHosted, at.bearer, at.references.selfHosted],
    ] as const) {
      const body = {
        dashboardId,
        tileId,
        threshold: 3,
        interval: '1h',
        source: 'tile',
        thresholdType: 'above',
        channel: { type: 'webhook', webhookId },
        name: 'Of the page',
        message: 'It rises.',
      }
      const send = (method: string, path: string, sent?: unknown) =>
        call(at.page, { url: `${base}/alerts${path}`, method, authorization, body: sent, credentials: 'include' })
      const created = await send('POST', '', body)
      expect(created).toMatchObject({ status: 200 })
      const { id } = created.json.data ?? created.json.result
      expect(await send('PUT', `/${id}`, { ...body, threshold: 7 })).toMatchObject({ status: 200 })
      const got = await send('GET', `/${id}`)
      expect((got.json.data ?? got.json.result).threshold).toBe(7)
      expect(await send('DELETE', `/${id}`)).toMatchObject({ status: 200 })
      expect(await send('GET', `/${id}`)).toMatchObject({ status: 404 })
    }
    expect(at.mock.calls().filter(({ blockedByBrowser }) => blockedByBrowser)).toEqual([])
  })

  it('runs a chart query, and reads refusals, failures and their headers', async () => {
    const at = await open({ limits: { body: 300 } })
    const series = [{ sourceId: at.references.selfHosted.sources.log, aggFn: 'count', where: '', groupBy: [] }]
    const now = Date.now()
    const url = `${at.selfHosted}/charts/series`
    const sent = { url, method: 'POST', authorization: at.bearer }
    const query = { startTime: now - 14 * 86_400_000, endTime: now, granularity: '1d', series }
    const answered = await call(at.page, { ...sent, body: query })
    expect(answered).toMatchObject({ status: 200, json: { data: expect.any(Array) } })
    expect(answered.json.data.length).toBeGreaterThan(10)
    const tooLarge = { ...query, series: [...series, ...series, ...series] }
    expect(await call(at.page, { ...sent, body: tooLarge })).toMatchObject({ status: 413 })
    const refused = await call(at.page, { url: `${at.selfHosted}/alerts` })
    expect(refused).toMatchObject({ status: 401, headers: { 'www-authenticate': 'Bearer', etag: expect.any(String) } })
    const unknown = await call(at.page, { url: `${at.selfHosted}/nothing`, authorization: at.bearer })
    expect(unknown).toMatchObject({ status: 404 })
    at.mock.setChaos({ errorRate: 1 })
    expect(await call(at.page, { url: at.members, authorization: at.basic })).toMatchObject({ status: 500 })
  })

  it('is not let into the control plane', async () => {
    const at = await open()
    expect(await call(at.page, { url: `${at.control}/control/state` })).toMatchObject({ status: 0 })
    expect(await call(at.page, { url: `${at.control}/control/reset`, method: 'POST', body: {} })).toMatchObject({
      status: 0,
    })
  })

  it.each(['none', 'http://127.0.0.1:1', 'as-deployed'])(
    'gets nothing with cors %s, and the journal says why',
    async cors => {
      const at = await open({ cors })
      for (const url of [at.members, `${at.managed}/alerts`, `${at.selfHosted}/alerts`]) {
        const authorization = url.startsWith(at.selfHosted) ? at.bearer : at.basic
        at.mock.forgetCalls()
        expect(await call(at.page, { url })).toMatchObject({ status: 0 })
        expect(at.mock.calls()[0]!.blockedByBrowser).toContain(`A browser keeps this answer from the page at ${origin}`)
        expect(await call(at.page, { url, authorization })).toMatchObject({ status: 0 })
        const [newest] = at.mock.calls()
        expect([newest!.request.method, newest!.blockedByBrowser]).toEqual([
          'OPTIONS',
          expect.stringContaining(`A browser will not send the GET that the page at ${origin} wants`),
        ])
      }
    },
  )

  it('gets answers where its origin is among those that are allowed', async () => {
    const at = await open({ cors: ['http://127.0.0.1:1', origin] })
    expect(await call(at.page, { url: at.members, authorization: at.basic })).toMatchObject({ status: 200 })
  })

  it('is seen in the console when a browser keeps an answer from it', async () => {
    const at = await open({ cors: 'none' })
    await call(at.page, { url: at.members })
    const console = await at.page.context().newPage()
    await console.goto(`${at.control}/#/calls`)
    const shown = console.locator('.calls li', { hasText: 'blocked by browsers' })
    await shown.locator('summary').first().click()
    await shown.filter({ hasText: `A browser keeps this answer from the page at ${origin}` }).waitFor()
  })
})
