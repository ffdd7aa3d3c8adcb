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
const cleanups: (() => unknown)[] = []
afterEach(async () => {
  for (const cleanUp of cleanups.splice(0).reverse()) await cleanUp()
})
afterAll(async () => {
  await browser?.close()
  site.closeAllConnections()
  site.close()
})

/** Opens a mock, and a page from another port, which is another origin. */
async function open(options: MockOptions = {}) {
  const running = await startMock(options)
  cleanups.push(() => running.close())
  const context = await browser!.newContext()
  cleanups.push(() => context.close())
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

/** Sends a request from the page; the status is 0 if the browser blocks the request or its answer. */
function fetchInPage(page: Page, request: SentRequest) {
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
  }, request)
}

if (!browser) it.skip(browserMissing, () => {})

describe.skipIf(!browser)('a page of another origin, in a browser', () => {
  it('can read the cloud form, and create, update, read and delete on the managed and the self-hosted form', async () => {
    const opened = await open()
    expect(await fetchInPage(opened.page, { url: opened.members, authorization: opened.basic })).toMatchObject({
      status: 200,
    })
    expect(await fetchInPage(opened.page, { url: opened.backup, authorization: opened.basic })).toMatchObject({
      status: 200,
    })
    for (const [base, authorization, { dashboardId, tileId, webhookId }] of [
      [opened.managed, opened.basic, opened.references.managed],
      [opened.selfHosted, opened.bearer, opened.references.selfHosted],
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
        fetchInPage(opened.page, {
          url: `${base}/alerts${path}`,
          method,
          authorization,
          body: sent,
          credentials: 'include',
        })
      const created = await send('POST', '', body)
      expect(created).toMatchObject({ status: 200 })
      const { id } = created.json.data ?? created.json.result
      expect(await send('PUT', `/${id}`, { ...body, threshold: 7 })).toMatchObject({ status: 200 })
      const fetched = await send('GET', `/${id}`)
      expect((fetched.json.data ?? fetched.json.result).threshold).toBe(7)
      expect(await send('DELETE', `/${id}`)).toMatchObject({ status: 200 })
      expect(await send('GET', `/${id}`)).toMatchObject({ status: 404 })
    }
    expect(opened.mock.calls().filter(({ blockedByBrowser }) => blockedByBrowser)).toEqual([])
  })

  it('can run a chart query, and read refusals, failures and their headers', async () => {
    const opened = await open({ limits: { body: 300 } })
    const series = [{ sourceId: opened.references.selfHosted.sources.log, aggFn: 'count', where: '', groupBy: [] }]
    const now = Date.now()
    const url = `${opened.selfHosted}/charts/series`
    const sent = { url, method: 'POST', authorization: opened.bearer }
    const query = { startTime: now - 14 * 86_400_000, endTime: now, granularity: '1d', series }
    const answer = await fetchInPage(opened.page, { ...sent, body: query })
    expect(answer).toMatchObject({ status: 200, json: { data: expect.any(Array) } })
    expect(answer.json.data.length).toBeGreaterThan(10)
    const tooLarge = { ...query, series: [...series, ...series, ...series] }
    expect(await fetchInPage(opened.page, { ...sent, body: tooLarge })).toMatchObject({ status: 413 })
    const refused = await fetchInPage(opened.page, { url: `${opened.selfHosted}/alerts` })
    expect(refused).toMatchObject({ status: 401, headers: { 'www-authenticate': 'Bearer', etag: expect.any(String) } })
    const unknown = await fetchInPage(opened.page, {
      url: `${opened.selfHosted}/nothing`,
      authorization: opened.bearer,
    })
    expect(unknown).toMatchObject({ status: 404 })
    opened.mock.setChaos({ errorRate: 1 })
    expect(await fetchInPage(opened.page, { url: opened.members, authorization: opened.basic })).toMatchObject({
      status: 500,
    })
  })

  it('cannot reach the control plane', async () => {
    const opened = await open()
    expect(await fetchInPage(opened.page, { url: `${opened.control}/control/state` })).toMatchObject({ status: 0 })
    expect(
      await fetchInPage(opened.page, { url: `${opened.control}/control/reset`, method: 'POST', body: {} }),
    ).toMatchObject({
      status: 0,
    })
  })

  it.each(['none', 'http://127.0.0.1:1', 'as-deployed'])(
    'gets no answers with cors %s, and the journal has the reason',
    async cors => {
      const opened = await open({ cors })
      for (const url of [opened.members, `${opened.managed}/alerts`, `${opened.selfHosted}/alerts`]) {
        const authorization = url.startsWith(opened.selfHosted) ? opened.bearer : opened.basic
        opened.mock.forgetCalls()
        expect(await fetchInPage(opened.page, { url })).toMatchObject({ status: 0 })
        expect(opened.mock.calls()[0]!.blockedByBrowser).toContain(
          `A browser keeps this answer from the page at ${origin}`,
        )
        expect(await fetchInPage(opened.page, { url, authorization })).toMatchObject({ status: 0 })
        const [newest] = opened.mock.calls()
        expect([newest!.request.method, newest!.blockedByBrowser]).toEqual([
          'OPTIONS',
          expect.stringContaining(`A browser will not send the GET that the page at ${origin} wants`),
        ])
      }
    },
  )

  it('gets answers if its origin is allowed', async () => {
    const opened = await open({ cors: ['http://127.0.0.1:1', origin] })
    expect(await fetchInPage(opened.page, { url: opened.members, authorization: opened.basic })).toMatchObject({
      status: 200,
    })
  })

  it('has its blocked calls shown in the console, with the reason', async () => {
    const opened = await open({ cors: 'none' })
    await fetchInPage(opened.page, { url: opened.members })
    const console = await opened.page.context().newPage()
    await console.goto(`${opened.control}/#/calls`)
    const call = console.locator('.calls li', { hasText: 'blocked by browsers' })
    await call.locator('summary').first().click()
    await call.filter({ hasText: `A browser keeps this answer from the page at ${origin}` }).waitFor()
  })
})
