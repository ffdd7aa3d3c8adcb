import { copyFile, mkdtemp, readFile, rm } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Browser, Page } from 'playwright-core'
import { build, type PreviewServer, preview } from 'vite'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { TargetFile } from '../../../mock-server/index.ts'
import { browserMissing, launchBrowser } from '../../../mock-server/testing/launch-browser.ts'
import type { Report } from '../../index.ts'

/** What the page puts into its global scope. */
declare const window: { readonly target: TargetFile; readonly verify: () => Promise<Report> }

const browser = await launchBrowser()

describe.skipIf(!browser)(`a page that loads the mock and the suite${browser ? '' : ` (${browserMissing})`}`, () => {
  let page: Page
  let close: () => Promise<void>
  beforeAll(async () => {
    ;({ page, close } = await openPage(browser!))
  }, 60_000)
  afterAll(() => close?.())

  it('lists the members of an organization', async () => {
    const { status, result } = await page.evaluate(async () => {
      const { baseUrl, organizationId, keyId, keySecret } = window.target.cloud!
      const authorization = `Basic ${btoa(`${keyId}:${keySecret}`)}`
      const response = await fetch(`${baseUrl}/v1/organizations/${organizationId}/members`, {
        headers: { authorization },
      })
      return response.json()
    })
    expect(status).toBe(200)
    expect(result[0].role).toMatch(/^(admin|developer)$/)
  })

  it('creates a dashboard and an alert on it, and queries a chart', async () => {
    const { created, watched, rows } = await page.evaluate(async () => {
      const { baseUrl, apiKey, references } = window.target.selfHosted!
      const post = async (resource: string, body: object) => {
        const headers = { authorization: `Bearer ${apiKey}`, 'content-type': 'application/json' }
        const init = { method: 'POST', headers, body: JSON.stringify(body) }
        return (await (await fetch(`${baseUrl}/api/v2/${resource}`, init)).json()).data
      }
      const sourceId = references.sources.log
      const config = { displayType: 'number', sourceId, select: [{ aggFn: 'count' }] }
      const created = await post('dashboards', {
        name: 'Made in a browser',
        tiles: [{ name: 'Rows', x: 0, y: 0, w: 6, h: 3, config }],
      })
      const watched = await post('alerts', {
        dashboardId: created.id,
        tileId: created.tiles[0].id,
        threshold: 1,
        interval: '1h',
        source: 'tile',
        thresholdType: 'above',
        channel: { type: 'webhook', webhookId: references.webhookId },
      })
      const endTime = Date.now()
      const series = [{ sourceId, aggFn: 'count', where: '', groupBy: [] }]
      const rows = await post('charts/series', {
        startTime: endTime - 86_400_000,
        endTime,
        granularity: '1h',
        series,
      })
      return { created, watched, rows }
    })
    expect(created.name).toBe('Made in a browser')
    expect(watched).toMatchObject({ dashboardId: created.id, state: 'OK' })
    expect(Number(rows[0]['series_0.data'])).toBeGreaterThan(0)
  })

  it('finds no broken rule when it runs the suite on the mock', async () => {
    const { summary, rules } = await page.evaluate(() => window.verify())
    const wrong = rules.filter(({ outcome }) => outcome === 'broken' || outcome === 'errored')
    expect(wrong.map(({ id, form, detail }) => `${id} in ${form}: ${detail}`)).toEqual([])
    expect(summary.held).toBeGreaterThan(75)
  }, 60_000)
})

describe('the browser bundle', () => {
  it.each([
    // The SQL functions that dashboards use, with their types, take 18 KB of this bundle.
    // The reader of documents takes 12 KB.
    ['mock-server', 438_000],
    // Bodies with every field of the contract take 8 KB.
    ['contract-tests', 160_000],
  ])('of %s is smaller than %i bytes when it is compressed', async (name, budget) => {
    const sizes = JSON.parse(await readFile(new URL('../../../dist/sizes.json', import.meta.url), 'utf8'))
    expect(sizes[`${name}.browser.js`].gzip).toBeLessThan(budget)
  })
})

afterAll(() => browser?.close())

/** Builds the page as a user would, from the entry points of the package, and opens it. */
async function openPage(on: Browser) {
  const root = fileURLToPath(new URL('.', import.meta.url))
  const outDir = await mkdtemp(join(tmpdir(), 'stack-parity-page-'))
  const settings = { root, configFile: false, logLevel: 'error', build: { outDir, target: 'es2022' } } as const
  await build({ ...settings, build: { ...settings.build, emptyOutDir: true } })
  const msw = createRequire(import.meta.url).resolve('msw/mockServiceWorker.js')
  await copyFile(msw, join(outDir, 'mockServiceWorker.js'))
  const server: PreviewServer = await preview({ ...settings, preview: { host: '127.0.0.1', port: 0 } })
  const close = async () => {
    await server.close()
    await rm(outDir, { recursive: true, force: true })
  }
  const page = await on.newPage()
  const errors: Error[] = []
  page.on('pageerror', error => errors.push(error))
  await page.goto(server.resolvedUrls!.local[0]!)
  await page
    .waitForFunction(() => 'verify' in window, undefined, { timeout: 20_000 })
    .catch(async error => {
      await close()
      throw errors[0] ?? error
    })
  return { page, close }
}
