import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import type { BrowserContextOptions, Locator, Page } from 'playwright-core'
import { afterAll, afterEach, describe, expect, it } from 'vitest'
import { startJournalConsole } from '../faces/journal-console.ts'
import { type RunningMock, startMock } from '../faces/serve.ts'
import type { TargetFile } from '../mock/mock.ts'
import { browserMissing, launchBrowser } from '../testing/launch-browser.ts'
import { startCommand } from '../testing/start-command.ts'

const foreignHost = 'evil.test'
const browser = await launchBrowser([`--host-resolver-rules=MAP ${foreignHost} 127.0.0.1`])
const cleanups: (() => unknown)[] = []
afterEach(async () => {
  for (const cleanUp of cleanups.splice(0).reverse()) await cleanUp()
})
afterAll(() => browser?.close())

const pages = [
  ...['overview', 'calls', 'stubs', 'world/members', 'services', 'dashboards', 'search', 'alerts'],
  ...['incident', 'faults', 'worlds', 'conformance', 'reference/self-hosted', 'reference/cloud/managed.alert.create'],
]

if (!browser) it.skip(browserMissing, () => {})

describe.skipIf(!browser)('the console, in a browser', () => {
  it('shows every view without an error, and sends requests only to the mock', async () => {
    const { page, browserErrors, foreignRequests } = await open()
    for (const name of pages) {
      await visit(page, name)
      expect(await page.locator('main h1').textContent()).toMatch(/\w/)
    }
    expect(browserErrors).toEqual([])
    expect(foreignRequests).toEqual([])
  })

  it.each(['light', 'dark'] as const)(
    'fits on a telephone and is accessible, in %s colours',
    async colorScheme => {
      // Faults and chaos add text to the header, which makes the page wider.
      const rates = { errorRate: 0.001, dropRate: 0.001, truncateRate: 0.001 }
      const disturbed = {
        faults: ['alert/get-answers'],
        chaos: { latencyMs: [0, 1], rateLimit: true, ...rates },
      } as const
      const { page, running } = await open(disturbed, { viewport: { width: 390, height: 844 }, colorScheme })
      await page.evaluate(axe)
      const problems: unknown[] = []
      // The calls also before the first of them.
      for (const name of ['calls', ...pages]) {
        await visit(page, name)
        const overflow = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)
        if (overflow > 0) problems.push([name, `${overflow} px too wide`])
        for (const barrier of await page.evaluate(findBarriers)) problems.push([name, barrier])
        if (name === 'calls') await fetch(`${running.target().selfHosted!.baseUrl}/api/v2/dashbords`)
      }
      expect(problems).toEqual([])
    },
    60_000,
  )

  it('shows on a small screen which view and kind is open, even after a reload, and the buttons of each record', async () => {
    const { page, running } = await open({}, { viewport: { width: 390, height: 844 } })
    const name = 'A name that is longer than a telephone is wide, so that it has to be cut'
    running.mock.create('dashboard', { name })
    await visit(page, 'world/dashboards')
    await page.reload()
    const row = page.getByRole('row', { name })
    const inView = [
      page.locator('.top nav [aria-current]'),
      page.locator('.tabs [aria-current]'),
      row.getByRole('button', { name: 'Edit' }),
      row.getByRole('button', { name: 'Delete' }),
    ]
    for (const shown of inView) {
      const isInView = async () => {
        const { x, width } = (await shown.boundingBox())!
        return x >= 0 && x + width <= 390
      }
      await expect.poll(isInView, { message: String(shown) }).toBe(true)
    }
    await row.getByTitle(name).waitFor()
    // Programs scroll instead of breaking their lines.
    await visit(page, 'overview')
    const program = page.getByRole('region', { name: 'A new alert', exact: true })
    expect(await program.evaluate(({ clientWidth, scrollWidth }) => scrollWidth > clientWidth)).toBe(true)
  })

  it('says that a view is being read, and why a part of the page could not be loaded', async () => {
    const { page, running } = await open()
    await waitForView(page)
    let answer = () => {}
    const answered = new Promise<void>(resolve => {
      answer = resolve
    })
    await page.route('**/control/alerts/**', route => answered.then(() => route.continue()))
    await page.evaluate(() => location.assign('#/alerts'))
    await page.getByText('Reading …').waitFor()
    answer()
    await page.getByText('at least 50 in 1h').waitFor()
    expect(await page.getByText('Reading …').count()).toBe(0)
    await page.route('**/console/*.js', route => route.abort())
    await page.evaluate(() => location.assign('#/faults'))
    await page.getByRole('alert').getByText('could not be loaded').waitFor()
    expect(await page.locator('h1').textContent()).toBe('Faults')
    expect(running.mock.calls()).toEqual([])
  })

  it('shows that the mock has stopped, and continues when it answers again', async () => {
    const { page, running } = await open()
    const { port } = new URL(running.target().control!.baseUrl)
    await visit(page, 'calls')
    await page.getByText('No calls yet').waitFor()
    await running.close()
    await page.getByRole('alert').getByText('The mock does not answer').waitFor()
    const restarted = await startMock({ consolePort: Number(port) })
    cleanups.push(() => restarted.close())
    await page.getByRole('alert').getByText('The mock does not answer').waitFor({ state: 'detached' })
    await fetch(`${restarted.target().selfHosted!.baseUrl}/api/v2/dashbords`)
    await page.locator('.calls li', { hasText: 'dashbords' }).waitFor()
  })

  it('copies a credential, and suggests a query of whole milliseconds', async () => {
    const { page, running } = await open({}, { permissions: ['clipboard-read', 'clipboard-write'] })
    const row = page.locator('.pairs > div', { hasText: 'API key' })
    await row.getByRole('button').click()
    await row.getByRole('button', { name: 'Copied' }).waitFor()
    expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(running.target().selfHosted!.apiKey)
    // Whole milliseconds, as clients send them.
    expect(await page.getByText('"startTime":').textContent()).toMatch(/"startTime":\d+,"endTime":\d+,/)
  })

  it('shows a new call, with the cause of its answer', async () => {
    const { page, running } = await open()
    await visit(page, 'calls')
    await page.getByText('No calls yet').waitFor()
    // A command to copy makes a first call.
    const command = await page.getByRole('region', { name: 'Make one' }).textContent()
    expect(command).toContain(`curl -i '${running.target().selfHosted!.baseUrl}/api/v2/dashboards'`)
    await fetch(`${running.target().selfHosted!.baseUrl}/api/v2/dashbords`)
    const call = page.locator('.calls li', { hasText: '/api/v2/dashbords' })
    const tooltip = call.locator('.explanation')
    expect(await tooltip.isVisible()).toBe(false)
    await call.locator('.badge').hover()
    await tooltip.getByText('The specification leaves this open').waitFor()
    await page.getByRole('heading', { name: 'Calls' }).hover()
    await tooltip.waitFor({ state: 'hidden' })
    await call.locator('summary').first().focus()
    await tooltip.waitFor()
    await call.locator('summary').first().click()
    // The details of a call are rendered after the click.
    await call.filter({ hasText: 'The nearest operation is GET /api/v2/dashboards' }).waitFor()
    expect(await call.textContent()).toContain('404')
  })

  it('filters calls by client and text, keeps the filters in the address, and saves calls as HAR', async () => {
    const { page, running } = await open()
    const { apiKey, baseUrl } = running.target().selfHosted!
    const send = (path: string, headers: Record<string, string> = {}) =>
      fetch(`${baseUrl}${path}`, { headers: { authorization: `Bearer ${apiKey}`, ...headers } })
    running.mock.setFaults(['alert/list-answers'])
    for (let sent = 0; sent < 3; sent++) await send('/api/v2/alerts')
    await send('/api/v2/dashboards', { 'user-agent': 'stack-parity verify' })
    await send('/api/v2/dashboards/0123456789abcdef01234567')
    await visit(page, 'calls')
    const calls = page.locator('.calls li')
    await page.getByText('4 calls').waitFor()
    // The end of a path is visible, a tooltip has the whole id, and the cause of the answer is shown.
    expect(await calls.first().locator('.path').textContent()).toBe('/api/v2/dashboards/…4567')
    expect(await calls.first().locator('abbr').getAttribute('title')).toBe('0123456789abcdef01234567')
    expect(await calls.nth(1).locator('.reason > :not(.explanation)').allTextContents()).toEqual([
      ...['fault', 'alert/list-answers'],
    ])
    await page.getByText('Suite').click()
    await page.getByText('1 call', { exact: true }).waitFor()
    await page.getByText('All', { exact: true }).click()
    await page.getByLabel('Status').selectOption('404')
    await page.getByLabel('Search').fill('dashboard 4567')
    await page.getByText('1 call', { exact: true }).waitFor()
    await page.reload()
    await page.getByText('1 call', { exact: true }).waitFor()
    const saved = page.waitForEvent('download')
    await page.getByRole('link', { name: 'Save as HAR' }).click()
    const { log } = JSON.parse(readFileSync(await (await saved).path(), 'utf8'))
    expect(log.entries.map(({ response }: { response: { status: number } }) => response.status)).toEqual([404])
  })

  it('shows hostile texts as texts', async () => {
    const { page, running, browserErrors } = await open()
    const hostile = '<img src=x onerror="document.title=1"><script>document.title=2</script>'
    const dashboard = { name: hostile, tags: [], tiles: [tile({ displayType: 'markdown', markdown: `# ${hostile}` })] }
    const { id } = await create(running.target(), 'dashboards', dashboard)
    for (const name of ['calls', 'world/dashboards', `dashboards/self-hosted/${id}`]) {
      await visit(page, name)
      await page.getByText('<img').or(page.locator('.calls li')).first().waitFor()
      for (const summary of await page.locator('.calls li > details > summary').all()) await summary.click()
      await page.locator('main', { hasText: 'onerror=' }).waitFor()
      expect(await page.locator('main img, main script').count()).toBe(0)
    }
    expect(await page.title()).toContain('stack-parity')
    expect(browserErrors).toEqual([])
  })

  it('draws the tiles of a dashboard at their positions, with the data of its sources', async () => {
    const { page } = await open()
    await visit(page, 'dashboards')
    const lines = page.getByRole('region', { name: 'Errors by service' })
    await lines.locator('canvas').waitFor()
    // Chromium under LANG=C.UTF-8 calls its language `en-US@posix`, which is no language tag.
    expect(await page.evaluate(() => navigator.language)).toBe('en')
    expect(await lines.locator('.legend li').count()).toBeGreaterThan(1)
    expect(await page.getByRole('region', { name: 'Requests', exact: true }).locator('.figure').textContent()).toMatch(
      /^\d\d,\d{3}$/,
    )
    expect(await page.getByRole('region', { name: 'About' }).locator('strong').textContent()).toBe('#on-call')
    expect(await page.locator('.tile', { hasText: 'Latest warnings' }).locator('tbody tr').count()).toBeGreaterThan(10)
    const [board, half] = await Promise.all([page.locator('.board').boundingBox(), lines.boundingBox()])
    expect(half!.width / board!.width).toBeCloseTo(0.5, 1)
    await page.getByRole('button', { name: 'New dashboard' }).click()
    await page.getByRole('dialog').locator('[data-field="name"] input').first().fill('Made here')
    await page.getByRole('dialog').getByRole('button', { name: 'Create' }).click()
    await page.getByRole('link', { name: 'Made here' }).click()
    await page.getByRole('button', { name: 'Delete' }).click()
    await page.getByText('DELETE /api/v2/dashboards/').waitFor()
  })

  it('draws stacked bars and grouped tables', async () => {
    const { page } = await open()
    await visit(page, 'dashboards')
    await page.getByRole('link', { name: 'Payments' }).click()
    await page.getByRole('img', { name: /^Stacked bars over time: ERROR/ }).waitFor()
    await page.getByRole('link', { name: 'Latency' }).click()
    await page.getByRole('columnheader', { name: 'slowest' }).waitFor()
    expect(await page.locator('.tile tbody tr').count()).toBeGreaterThan(3)
  })

  it('links a firing alert to its cause, from its history over its log lines to the failed span', async () => {
    const { page, browserErrors } = await open({ now: Date.parse('2026-03-05T15:17:00Z'), freeze: true })
    await visit(page, 'dashboards')
    await page.getByRole('region', { name: 'Errors by service' }).getByRole('link', { name: 'Errors: OK' }).click()
    const alert = page.getByRole('region', { name: 'Errors', exact: true })
    await alert.getByText('at least 50 in 1h').waitFor()
    expect(await alert.locator('.states p').textContent()).toMatch(/^03-04 20:00 ALERT · 03-04 22:00 OK$/)

    await visit(page, 'search')
    await page.getByRole('searchbox').fill('level:error service:payments (')
    await page.keyboard.press('Enter')
    await page.getByText(/^Search, column \d+: Expected/).waitFor()
    await page.getByRole('searchbox').fill('level:error service:payments "exhausted"')
    await page.keyboard.press('Enter')
    await page.getByText(/^\d+ found, the newest first$/).waitFor()
    expect(await page.getByRole('img', { name: /^Stacked bars over time: ERROR/ }).count()).toBe(1)
    const line = page.locator('.rows li').first()
    await line.locator('summary').click()
    await line.getByText('LogAttributes.http.route').or(line.getByText('TraceId')).first().waitFor()
    await line.getByRole('link').click()
    await page.getByRole('heading', { name: /^Trace/ }).waitFor()
    const spans = page.locator('.waterfall li')
    expect(await spans.locator('.name').allTextContents()).toEqual([
      expect.stringMatching(/^web POST \/checkout failed/),
      expect.stringMatching(/^checkout POST \/checkout failed/),
      expect.stringMatching(/^checkout INSERT orders$/),
      expect.stringMatching(/^payments POST \/charges failed/),
      expect.stringMatching(/^payments pool.acquire failed/),
    ])
    expect(await page.getByRole('list', { name: 'Log lines of this trace' }).locator('> li').count()).toBeGreaterThan(3)
    // The answer to the invalid search.
    expect(browserErrors).toEqual([expect.stringContaining('400')])
  })

  it('switches a fault on, shows the rules that the suite finds broken, and switches the fault off', async () => {
    const broken = { form: 'cloud', outcome: 'broken' }
    const rules = [
      { ...broken, id: 'envelope/request-id-is-uuid-v4', detail: 'Expected a UUIDv4' },
      { ...broken, id: 'member/list-answers-200', detail: 'Expected 200' },
      { ...broken, id: 'alert/list-answers', outcome: 'held', detail: '' },
    ]
    const verify = async () => ({ report: { summary: { broken: 2, held: 1 }, rules }, html: '' })
    const { page, running } = await open({ console: { verify } })
    await visit(page, 'faults')
    const rule = 'envelope/request-id-is-uuid-v4'
    const fault = page.locator('.faults li', { has: page.getByText(rule, { exact: true }) }).getByRole('switch')
    expect(await fault.isVisible()).toBe(false)
    await page.getByLabel('Find a rule').fill('requestId uuid')
    await page.getByText(/^\d of \d+ rules$/).waitFor()
    await fault.click()
    await page.locator('.faults summary', { hasText: '§2.1' }).getByText('1 on').waitFor()
    await page.getByRole('button', { name: 'Run the suite with these faults' }).click()
    await page.locator('.noticed', { hasText: 'Expected a UUIDv4' }).waitFor()
    expect(await page.locator('.noticed li').allTextContents()).toEqual([
      'envelope/request-id-is-uuid-v4 cloudExpected a UUIDv4',
      'member/list-answers-200 cloud its own fault is offExpected 200',
    ])
    await page.getByRole('link', { name: '1 fault' }).waitFor()
    expect(running.mock.faults()).toEqual([rule])
    await page.getByRole('button', { name: 'Switch all off' }).click()
    await page.getByText('Every rule is kept').waitFor()
    expect(running.mock.faults()).toEqual([])
    await expect.poll(() => fault.isChecked()).toBe(false)
  })

  it('keeps both of two quick changes when the mock answers slowly', async () => {
    const { page, running } = await open()
    await visit(page, 'faults')
    for (const section of ['§2.1', '§5']) await page.locator('.faults summary', { hasText: section }).click()
    let answers = 0
    await page.route('**/control/faults', async route => {
      if (answers++ === 0) await page.waitForTimeout(300)
      await route.continue()
    })
    const rules = ['envelope/request-id-is-uuid-v4', 'auth/wrong-scheme-is-refused']
    for (const rule of rules) {
      await page
        .locator('.faults li', { has: page.getByText(rule, { exact: true }) })
        .getByRole('switch')
        .click()
    }
    await page.getByRole('link', { name: '2 faults' }).waitFor()
    expect(new Set(running.mock.faults())).toEqual(new Set(rules))
  })

  it('moves the clock forward and sets chaos', async () => {
    const { page, running } = await open({ now: Date.parse('2026-03-01T00:00:00Z') })
    await visit(page, 'worlds')
    await page.getByRole('button', { name: '+ 1 day' }).click()
    await page.getByText('It is 2026-03-02').waitFor()
    expect(new Date(running.mock.clock.now()).toISOString()).toMatch(/^2026-03-02/)
    await page.getByRole('button', { name: 'Freeze' }).click()
    await page.getByText('The clock stands still').waitFor()
    expect(running.mock.clock.isFrozen()).toBe(true)
    await page.getByText('frozen', { exact: true }).waitFor()
    await page.getByRole('button', { name: 'Resume' }).click()
    await page.getByRole('button', { name: 'Freeze' }).waitFor()
    expect(running.mock.clock.isFrozen()).toBe(false)
    await visit(page, 'faults')
    await page.getByLabel('Calls that fail').fill('12.5')
    await page.keyboard.press('Tab')
    await page.getByRole('link', { name: '12.5 % errors' }).waitFor()
    await page.getByLabel('Calls that get no answer').fill('20')
    await page.getByLabel('Answers that break off').fill('5')
    await page.keyboard.press('Tab')
    await page.getByRole('link', { name: '5 % cut off' }).waitFor()
    const chaos = { errorRate: 0.125, dropRate: 0.2, truncateRate: 0.05 }
    expect(running.mock.chaos()).toMatchObject(chaos)
    // A number out of bounds is refused in its field, and not sent.
    await page.getByLabel('Calls that fail').fill('120')
    await page.getByText('Value must be less than or equal to 100.').waitFor()
    await page.getByLabel('and at most').fill('7')
    await page.keyboard.press('Tab')
    expect(running.mock.chaos()).toMatchObject(chaos)
    await page.getByLabel('Calls that fail').fill('12.5')
    await page.keyboard.press('Tab')
    await page.getByRole('link', { name: '7 ms' }).waitFor()
    expect(running.mock.chaos()).toMatchObject({ ...chaos, latencyMs: [0, 7] })
  })

  it('changes the states of services, follows the clock, and arranges failures', async () => {
    const { page, running } = await open({ now: Date.parse('2026-03-01T12:00:00Z'), freeze: true })
    const { organizationId, serviceId } = running.target().cloud!
    const { records } = running.mock
    await visit(page, 'services')
    const card = (name: string) =>
      page.getByRole('region').filter({ has: page.getByRole('heading', { name: new RegExp(`^${name} `) }) })
    const stateOf = (name: string) => card(name).locator('h2 .badge').textContent()
    expect(await Promise.all(['production', 'staging', 'reporting', 'sandbox'].map(stateOf))).toEqual([
      ...['running', 'idle', 'running', 'stopped'],
    ])
    // A primary cannot be stopped before its secondaries; the button says so, and can still have the focus.
    const stop = card('production').getByRole('button', { name: 'Stop' })
    expect(await stop.getAttribute('aria-disabled')).toBe('true')
    await stop.focus()
    await card('production').getByText('The other services of its warehouse have to be stopped first.').waitFor()
    await page.keyboard.press('Enter')
    expect(running.mock.calls()).toEqual([])
    await card('reporting').getByRole('button', { name: 'Stop' }).click()
    await card('reporting').getByText('stopped in 30 s').waitFor()
    await page.getByRole('button', { name: '+ 1 hour' }).click()
    await card('reporting').locator('h2', { hasText: 'stopped' }).waitFor()
    await card('reporting').getByText('running 23 h, stopping 30 s, stopped 60 min').waitFor()
    await card('production').getByRole('button', { name: 'Stop' }).click()
    await card('production').getByText('stopped in 30 s').waitFor()

    // The commands are calls of the API, which may refuse them.
    await card('production').getByRole('button', { name: 'Delete' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Delete', exact: true }).click()
    await page.getByRole('dialog').getByText("Current state: 'stopping'").waitFor()
    await page.keyboard.press('Escape')
    expect(running.mock.calls().map(({ operation, response }) => `${operation} ${response.status}`)).toEqual([
      ...['service.delete 409', 'service.state 200', 'service.state 200'],
    ])

    await card('staging').getByLabel('State to arrange').selectOption('degraded')
    await card('staging').getByRole('button', { name: 'Arrange' }).click()
    await card('staging').locator('h2', { hasText: 'degraded' }).waitFor()
    expect(records.list('service', { within: organizationId }).map(({ state }) => state)).toEqual([
      ...['stopping', 'degraded', 'stopped', 'stopped'],
    ])

    const failed = () => records.list('backup', { within: serviceId }).filter(({ status }) => status === 'error').length
    const before = failed()
    await card('production').getByText('Last backups').click()
    const newest = card('production').locator('.backups li').first()
    await newest.getByRole('button', { name: /^Make it fail/ }).click()
    await newest.filter({ hasText: 'error' }).waitFor()
    expect(failed()).toBe(before + 1)
  })

  it('creates a key in a form, shows its secret once, and searches, changes and deletes it', async () => {
    const { page, running } = await open()
    await visit(page, 'world/keys')
    const sheet = page.getByRole('dialog')
    const row = page.locator('tr', { hasText: 'Rotated' })
    await page.getByRole('button', { name: 'New key' }).click()
    await sheet.getByRole('button', { name: 'Create' }).click()
    // A refusal is shown at the field that it names, with the sentence of the mock.
    const name = sheet.locator('[data-field="name"]')
    await name.getByText('request body.name: Required').waitFor()
    await name.getByRole('textbox').fill('Rotated')
    await sheet.locator('[data-field="source"] input').fill('nowhere')
    await sheet.getByRole('button', { name: 'Create' }).click()
    await sheet.locator('[data-field="source"]').getByText('Expected an IP address or a range').waitFor()
    await page.evaluate(axe)
    expect(await page.evaluate(findBarriers)).toEqual([])
    await sheet.locator('[data-field="source"] input').fill('10.0.0.0/8')
    await sheet.getByRole('button', { name: 'Create' }).click()
    await sheet.getByText('This is shown once').waitFor()
    const secret = await sheet.getByLabel('keySecret').textContent()
    expect(running.mock.records.list('key').find(one => one.keySecret === secret)?.name).toBe('Rotated')
    await sheet.getByRole('button', { name: 'Done' }).click()

    await page.getByRole('searchbox').fill('rota enabled')
    await page.getByText('1 found').waitFor()
    await row.focus()
    await page.keyboard.press('e')
    await sheet.locator('[data-field="state"] select').selectOption('disabled')
    await sheet.getByRole('button', { name: 'Save' }).click()
    await page.getByText('match “rota enabled”').waitFor()
    await page.getByRole('searchbox').fill('')
    await row.getByText('disabled').waitFor()
    await row.getByRole('button', { name: 'Delete' }).click()
    expect(running.mock.records.list('key').some(one => one.name === 'Rotated')).toBe(true)
    await sheet.getByRole('button', { name: 'Delete', exact: true }).click()
    await row.waitFor({ state: 'detached' })
    const called = running.mock.calls().map(({ operation, response }) => `${operation} ${response.status}`)
    expect(called.toReversed()).toEqual([
      ...['key.create 400', 'key.create 400', 'key.create 200', 'key.get 200', 'key.update 200', 'key.delete 200'],
    ])
  })

  it('starts an incident, and shows the firing alert and the deliveries to its webhook', async () => {
    const now = Date.parse('2026-03-01T12:00:30Z')
    const { page, running, browserErrors } = await open({ now, freeze: true, logs: 100_000 })
    await visit(page, 'incident')
    await page.getByRole('button', { name: 'Set off an incident' }).click()
    await page.getByRole('switch', { name: 'A minute passes' }).click()
    await page.getByText('going on').waitFor()
    const alert = page.getByRole('row', { name: /^Incident watch/ })
    await alert.getByText('OK').waitFor()
    await page.getByRole('button', { name: '+ 1 hour' }).click()
    await page.getByText('over').nth(1).waitFor()
    const deliveries = page.getByRole('region', { name: 'Deliveries' }).locator('li')
    await deliveries.filter({ hasText: 'delivered, 204' }).nth(3).waitFor()
    const fired = deliveries.filter({ hasText: 'ALERT' }).first()
    await fired.locator('summary').click()
    await fired.getByText('Delivered: the webhook answered 204').waitFor()
    expect(running.mock.records.list('alert').at(-1)).toMatchObject({ name: 'Incident watch', state: 'OK' })
    await page.getByRole('region', { name: 'Errors by service' }).locator('canvas').waitFor()
    await page.getByRole('button', { name: 'Delete dashboard, alert and webhook' }).click()
    await alert.waitFor({ state: 'detached' })
    const called = running.mock.calls().flatMap(({ operation }) => operation ?? [])
    expect(called.toReversed()).toEqual([...['dashboard.create', 'alert.create', 'alert.delete', 'dashboard.delete']])
    expect(browserErrors).toEqual([])
  })

  it('finds an operation, sends its suggested and its edited request, and shows a program that sends it', async () => {
    const { page, running, browserErrors } = await open({}, { permissions: ['clipboard-read', 'clipboard-write'] })
    const { organizationId, secondOrganizationId } = running.target().cloud!
    const { records } = running.mock
    const parameter = (name: string) => page.getByRole('combobox', { name: new RegExp(`^${name} `) })
    await visit(page, 'reference/cloud')
    await page.keyboard.press('/')
    await page.keyboard.type('update member')
    await page.getByText(/^1 of \d+$/).waitFor()
    await page.keyboard.press('Enter')
    await page.getByRole('heading', { name: 'Update a member' }).waitFor()
    expect(page.url()).toMatch(/#\/reference\/cloud\/member\.update$/)

    const { id, name, email } = records.list('member', { within: organizationId })[1]!
    await parameter('userId').selectOption(id)
    await page.getByLabel('Body').fill('{"role": "admin"}')
    await page.keyboard.press('Control+Enter')
    await page.getByText('member/update-answers').waitFor()
    expect(await page.locator('.answer').textContent()).toContain(email)
    expect(records.get('member', id, { within: organizationId })).toMatchObject({ name, role: 'admin' })

    // The form edits the same body, and sends invalid values, too.
    await page.getByRole('button', { name: 'Form' }).click()
    await page.locator('.form').getByLabel('role').selectOption('developer')
    await page.getByRole('button', { name: 'fetch' }).click()
    await page.locator('.programs').getByRole('button', { name: 'Copy', exact: true }).click()
    expect(await page.evaluate(() => navigator.clipboard.readText())).toContain('"role": "developer"')
    await parameter('userId').selectOption('Another value …')
    await page.getByLabel('Another userId').fill('nobody')
    await page.keyboard.press('Enter')
    await page.locator('.answer', { hasText: 'NOT_FOUND: nobody' }).waitFor()

    // Another organization has other members, and another key.
    await parameter('organizationId').selectOption(secondOrganizationId!)
    await page
      .getByLabel('userId')
      .locator(`option[value="${records.list('member', { within: secondOrganizationId! })[0]!.id}"]`)
      .waitFor({ state: 'attached' })
    expect(await page.getByLabel('Credentials').locator('option:checked').textContent()).toContain('second')
    await page.getByLabel('Credentials').selectOption('No credentials')
    await page.getByRole('button', { name: 'Send' }).click()
    await page.getByText('auth/missing-credentials').waitFor()
    expect(browserErrors).toEqual([])
  })

  it('sends a call again, and creates a stub from a call', async () => {
    const { page, running } = await open()
    const { apiKey, baseUrl } = running.target().selfHosted!
    const send = (path: string) => fetch(`${baseUrl}${path}`, { headers: { authorization: `Bearer ${apiKey}` } })
    await send('/api/v2/alerts')
    await visit(page, 'calls')
    const call = page.locator('.calls li').first()
    await call.locator('summary').first().click()
    await call.getByRole('button', { name: 'Send again' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.locator('.answer .badge', { hasText: '200' }).waitFor()
    expect(running.mock.calls(1)[0]).toMatchObject({ client: 'console', operation: 'alert.list' })
    await dialog.getByLabel('Path').fill('/api/v2/nothing')
    await dialog.getByRole('button', { name: 'Send again' }).click()
    await dialog.locator('.answer .badge', { hasText: '404' }).waitFor()
    // Back closes the dialog and keeps the view.
    await page.goBack()
    await dialog.waitFor({ state: 'detached' })
    expect(page.url()).toMatch(/#\/calls$/)

    await call.getByRole('button', { name: 'As a stub' }).click()
    await dialog.getByLabel('Body').fill(await withStatus(503, dialog.getByLabel('Body')))
    await dialog.getByRole('button', { name: 'Create' }).click()
    const stub = page.getByRole('list', { name: 'Stubs, the newest first' }).locator('> li').first()
    await stub.getByText('no hits').waitFor()
    await stub.getByText('Nearest call: GET /api/v2/alerts, which came before the stub.').waitFor()
    expect((await send('/api/v2/alerts')).status).toBe(503)
    await stub.getByText('1 hit', { exact: true }).waitFor()
    await page.getByRole('button', { name: 'Remove all' }).click()
    await page.getByText('There are no stubs in this world.').waitFor()
    expect(running.mock.stubs()).toEqual([])
  })

  it('opens a world by name, restores and shows it, and deletes it', async () => {
    const { page, running } = await open()
    await visit(page, 'worlds')
    await page.getByLabel('Name').fill('job-1')
    await page.getByLabel('Scenario').first().selectOption('empty')
    await page.getByRole('button', { name: 'Open', exact: true }).click()
    const list = page.getByRole('list', { name: 'Worlds' })
    await list.locator('li', { hasText: 'job-1' }).getByRole('link', { name: 'Show' }).click()
    await list.locator('li', { hasText: 'job-1' }).getByText('shown').waitFor()
    expect(await page.getByLabel('World', { exact: true }).locator('option:checked').textContent()).toBe('job-1')
    const world = running.mock.worlds.get('job-1')!
    await page.getByRole('button', { name: 'Take a snapshot' }).click()
    await page.getByText('Snapshot 1').waitFor()
    const state = {
      name: 'world.json',
      mimeType: 'application/json',
      buffer: Buffer.from(JSON.stringify(world.state())),
    }
    await page.getByLabel('Restore a file').setInputFiles(state)
    await page.getByText('The world is as in the snapshot.').waitFor()
    world.records.create('member', { name: 'Ada' })
    await visit(page, 'world/members')
    await page.getByRole('row', { name: 'Ada' }).waitFor()
    expect(running.mock.records.list('member').some(({ name }) => name === 'Ada')).toBe(false)
    await page.getByLabel('World', { exact: true }).selectOption('First world')
    await page.getByText('2 in all').waitFor()
    await visit(page, 'worlds')
    await page.getByRole('button', { name: 'Delete the world job-1' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Delete', exact: true }).click()
    await list.locator('li', { hasText: 'job-1' }).waitFor({ state: 'detached' })
    expect(running.mock.worlds.get('job-1')).toBeUndefined()
  })

  it('disturbs one operation, and changes one choice', async () => {
    const { page, running } = await open()
    await visit(page, 'faults')
    await page.getByLabel('Operation', { exact: true }).fill('alert.list')
    await page.keyboard.press('Enter')
    await page.getByLabel('Calls of alert.list that fail').fill('100')
    await page.keyboard.press('Tab')
    await page.getByRole('link', { name: 'alert.list: 100 % errors' }).waitFor()
    expect(running.mock.chaos().byOperation).toEqual({ 'alert.list': { errorRate: 1 } })
    await page.getByLabel('Find a choice').fill('dashboard/unknown-id self-hosted')
    const choice = page.getByLabel('dashboard/unknown-id, self-hosted')
    const other = await choice.locator('option:not(:checked)').first().textContent()
    await choice.selectOption(other)
    await page.getByText('1 of', { exact: false }).first().waitFor()
    expect(running.mock.choices().selfHosted?.['dashboard/unknown-id']).toBe(other)
  })

  it('lists the dependents of a record before its deletion, and does not create a record when Enter is pressed in a field', async () => {
    const { page, running } = await open()
    const { dashboardId } = running.target().selfHosted!.references
    await visit(page, 'world/dashboards')
    const tabs = page.getByRole('navigation', { name: 'Kinds of records' })
    const tops = ['Dashboards', 'Webhooks'].map(async name => (await tabs.getByText(name).boundingBox())!.y)
    expect(new Set(await Promise.all(tops)).size).toBe(1)
    await page.locator(`tr[data-id="${dashboardId}"]`).getByRole('button', { name: 'Delete' }).click()
    const dialog = page.getByRole('dialog')
    await dialog
      .getByRole('list', { name: 'Dependent records' })
      .getByText(/refers to it \d+ alert/)
      .waitFor()
    await page.goBack()
    await dialog.waitFor({ state: 'detached' })
    const before = running.mock.records.list('dashboard').length
    await page.keyboard.press('n')
    await dialog.locator('[data-field="name"] input').first().fill('By accident')
    await page.keyboard.press('Enter')
    await dialog.getByRole('button', { name: 'Cancel' }).click()
    expect(running.mock.records.list('dashboard')).toHaveLength(before)
    expect(running.mock.calls().filter(({ request }) => request.method === 'POST')).toEqual([])
  })

  it('shows the calls of a proxy with their verdicts, and only the views that a proxy has', async () => {
    const { target, mock } = await startMock().then(running => {
      cleanups.push(() => running.close())
      return { target: running.target(), mock: running.mock }
    })
    const proxy = await startJournalConsole({ port: 0, version: '0', target })
    cleanups.push(() => proxy.close())
    const call = { method: 'GET', path: '/api/v2/alerts', query: '', headers: {}, body: '' }
    const answer = await mock.answer(call, 'selfHosted')
    const cause = { basis: 'observed', judged: 'broken', rule: 'alert/list-answers', why: 'Expected 200' } as const
    proxy.record({ at: 0, ms: 1, host: 'selfHosted', call, answer: { ...answer, cause }, form: 'selfHosted' })
    const instead = { as: 'held', status: 502 } as const
    proxy.record({ at: 1, ms: 1, host: 'selfHosted', call, answer: { ...answer, cause: { ...cause, instead } } })
    proxy.announce({ selfHosted: 'http://127.0.0.1:1' })
    const { page, browserErrors } = await openPage({ ...target, control: { baseUrl: proxy.address } })
    await page.locator('.calls .badge.bad', { hasText: 'broken' }).waitFor()
    expect(await page.getByRole('navigation', { name: 'Pages' }).getByRole('link').allTextContents()).toEqual(['Calls'])
    await page.getByText('This is a proxy').waitFor()
    await page.getByText(`http://127.0.0.1:1 → ${target.selfHosted.baseUrl}`).waitFor()
    expect(await page.title()).toBe('Calls · stack-parity proxy')
    // Nobody but the clients of the proxy calls.
    expect(await page.getByRole('group', { name: 'Whose calls' }).count()).toBe(0)
    await page.locator('.calls li', { hasText: '502' }).locator('.badge', { hasText: 'held: 502' }).waitFor()
    await page.locator('.calls summary').first().click()
    await page.getByText('Copy as curl').waitFor()
    expect(await page.getByRole('button', { name: 'Send again' }).count()).toBe(0)
    expect(browserErrors).toEqual([])
  })

  it.each(['light', 'dark'] as const)(
    'shows the answer to a proxied GET beside the answer of a mock, in %s colours',
    async colorScheme => {
      const cloud = { baseUrl: 'https://api.example.com' }
      const proxy = await startJournalConsole({ port: 0, version: '0', target: { cloud }, as: 'clickhouse-cloud' })
      cleanups.push(() => proxy.close())
      const path = '/v1/organizations/2f1e0b70-0000-4000-8000-000000000001/members/ada'
      const call = { method: 'GET', path, query: '', headers: { authorization: 'Basic b3duOmtleQ==' }, body: '' }
      const body = JSON.stringify({ status: 200, result: { userId: 'ada', name: 7, nickname: 'A' } })
      const answer = { status: 200, headers: {}, body, cause: { basis: 'observed', why: 'held' } } as const
      proxy.record({ at: 0, ms: 1, host: 'cloud', call, answer, form: 'cloud', operation: 'member.get' })
      const { page, browserErrors } = await openPage(
        { name: 'x', writes: true, control: { baseUrl: proxy.address } },
        { colorScheme },
      )
      await page.locator('.calls summary').first().click()
      await page.getByRole('button', { name: 'Also send to a mock' }).click()
      const mock = page.getByRole('region', { name: 'The mock', exact: true })
      expect(await mock.textContent()).toMatch(/200.*joinedAt/s)
      expect(await page.locator('.sheet .contents > p').allTextContents()).toEqual([
        'Only from the deployment: result.nickname',
        'Only from the mock: requestId, result.email, result.role, result.joinedAt',
        'Of another type: result.name is number, but string in the mock',
      ])
      const [left, right] = await Promise.all(
        ['The deployment', 'The mock'].map(name => page.getByRole('region', { name, exact: true }).boundingBox()),
      )
      expect([left!.y, left!.x + left!.width <= right!.x]).toEqual([right!.y, true])
      await page.evaluate(axe)
      expect(await page.evaluate(findBarriers)).toEqual([])
      expect(browserErrors).toEqual([])
    },
  )

  it('can be used by the keyboard', async () => {
    const { page } = await open()
    await waitForView(page)
    const skip = page.locator('a[href="#main"]').first()
    await skip.focus()
    await page.keyboard.press('Enter')
    await page.waitForFunction(() => document.activeElement?.id === 'main')
    await page.getByRole('link', { name: 'Calls' }).focus()
    await page.keyboard.press('Enter')
    await page.getByRole('heading', { name: 'Calls' }).waitFor()
    expect(await page.locator('nav [aria-current]').textContent()).toBe('Calls')
    await page.keyboard.press('/')
    expect(await page.evaluate(() => document.activeElement?.getAttribute('aria-label'))).toBe('Search')
  })

  it('runs the suite and shows its report in the installed package', async () => {
    const { target, child } = await startCommand([
      '--json',
      '--cloud-port=0',
      '--self-hosted-port=0',
      '--console-port=0',
    ])
    cleanups.push(() => child.kill())
    const { page, browserErrors } = await openPage(target)
    await visit(page, 'conformance')
    await page.getByRole('button', { name: 'Run the suite' }).click()
    await page.locator('.badge', { hasText: /^\d+ held$/ }).waitFor({ timeout: 60_000 })
    const report = page.frameLocator('iframe')
    await report.getByText('Every must and should rule that applies holds.').waitFor()
    expect(await report.locator('.rule .badge.held').count()).toBeGreaterThan(50)
    await report.getByRole('searchbox').fill('backup')
    await report.locator('output', { hasText: / of / }).waitFor()
    expect(browserErrors).toEqual([])
  }, 90_000)
})

describe.skipIf(!browser)('a console that untrusted pages can reach, in a browser', () => {
  it('refuses DNS rebinding: a page whose host name resolves to this machine', async () => {
    const { page, running } = await open()
    const { port } = new URL(running.target().control!.baseUrl)
    const response = await page.goto(`http://${foreignHost}:${port}/`)
    expect(response!.status()).toBe(403)
    expect(await page.textContent('body')).toContain(`cannot be reached as ${foreignHost}`)
  })

  it('refuses writes of a page of another origin', async () => {
    const { page, running } = await open()
    const other = await startMock()
    cleanups.push(() => other.close())
    const before = await countDashboards(other.target())
    await create(other.target(), 'dashboards', { name: 'stays', tags: [], tiles: [] })
    await page.goto(`${running.target().control!.baseUrl}/control/clock`)
    const send = (method: string, path: string, mode: RequestMode) =>
      page.evaluate(
        ([url, init]) =>
          fetch(url, init).then(
            () => 'answered',
            () => 'refused',
          ),
        [`${other.target().control!.baseUrl}${path}`, { method, mode }] as const,
      )
    expect(await send('GET', '/control/target', 'cors')).toBe('refused')
    expect(await send('POST', '/control/reset', 'cors')).toBe('refused')
    expect(await send('DELETE', '/control/calls', 'cors')).toBe('refused')
    expect(await send('POST', '/control/reset', 'no-cors')).toBe('refused')
    expect(await countDashboards(other.target())).toBe(before + 1)
  })

  it('requires its token once, and then sets a cookie', async () => {
    const { page, running } = await open({ consoleToken: 'the right one' })
    await page.getByLabel('Token').fill('a wrong one')
    await page.keyboard.press('Enter')
    await page.getByText('This is not the token').waitFor()
    await page.getByLabel('Token').fill('the right one')
    await page.keyboard.press('Enter')
    await page.getByText(running.target().selfHosted!.apiKey, { exact: true }).waitFor()
    const [cookie] = await page.context().cookies()
    expect(cookie).toMatchObject({ httpOnly: true, sameSite: 'Strict' })
    expect(cookie!.value).not.toContain('right')
  })

  it('reads its token from the address, and removes it from the address', async () => {
    const { page, running } = await open({ consoleToken: 'a-token' })
    await page.goto(`${running.target().control!.baseUrl}/?token=a-token#/calls`)
    await page.getByRole('heading', { name: 'Calls' }).waitFor()
    expect(page.url()).toBe(`${running.target().control!.baseUrl}/#/calls`)
  })
})

/** Opens the console of a new mock. */
async function open(options: Parameters<typeof startMock>[0] = {}, context: BrowserContextOptions = {}) {
  const running: RunningMock = await startMock(options)
  cleanups.push(() => running.close())
  return { running, ...(await openPage(running.target(), context)) }
}

/** Opens a console in a new page, and records errors of the browser and requests to other hosts. */
async function openPage({ control }: TargetFile, options: BrowserContextOptions = {}) {
  const context = await browser!.newContext(options)
  cleanups.push(() => context.close())
  const page = await context.newPage()
  page.setDefaultTimeout(10_000)
  const browserErrors: string[] = []
  const foreignRequests: string[] = []
  page.on('console', message => ['error', 'warning'].includes(message.type()) && browserErrors.push(message.text()))
  page.on('pageerror', error => browserErrors.push(String(error)))
  page.on('request', request => request.url().startsWith(control!.baseUrl) || foreignRequests.push(request.url()))
  await page.goto(`${control!.baseUrl}/`)
  return { page, browserErrors, foreignRequests }
}

const axe = readFileSync(fileURLToPath(import.meta.resolve('axe-core/axe.min.js')), 'utf8')
declare const window: { axe: { run(): Promise<{ violations: { id: string; nodes: { target: unknown }[] }[] }> } }
/** The violations of accessibility that axe finds: rules and elements. */
const findBarriers = async () => {
  const { violations } = await window.axe.run()
  return violations.map(({ id, nodes }) => [id, ...nodes.map(({ target }) => String(target))].join(' '))
}

async function visit(page: Page, name: string) {
  await waitForView(page)
  const address = new URL(`#/${name}`, page.url()).href
  if (page.url() !== address) {
    // The page sets aria-busy in an earlier listener, so waitForView cannot see the previous view.
    const navigate = (to: string) =>
      new Promise<void>(done => {
        addEventListener('hashchange', () => done(), { once: true })
        location.assign(to)
      })
    await page.evaluate(navigate, address)
  }
  await waitForView(page)
}

/** Waits until the view of the address is shown, instead of the previous one. */
const waitForView = (page: Page) => page.locator('main[aria-busy="false"] h1').waitFor()

/** The text of a stub with another status. */
const withStatus = async (status: number, area: Locator) => {
  const stub = JSON.parse(await area.inputValue())
  return JSON.stringify({ ...stub, answer: { ...stub.answer, status } })
}

const tile = (config: object) => ({ name: 'tile', x: 0, y: 0, w: 12, h: 4, config })

async function create({ selfHosted }: TargetFile, kind: string, body: object): Promise<{ id: string }> {
  const { baseUrl, apiKey } = selfHosted!
  const headers = { authorization: `Bearer ${apiKey}`, 'content-type': 'application/json' }
  const response = await fetch(`${baseUrl}/api/v2/${kind}`, { method: 'POST', headers, body: JSON.stringify(body) })
  return (await response.json()).data
}

async function countDashboards({ selfHosted }: TargetFile): Promise<number> {
  const { baseUrl, apiKey } = selfHosted!
  const response = await fetch(`${baseUrl}/api/v2/dashboards`, { headers: { authorization: `Bearer ${apiKey}` } })
  return (await response.json()).data.length
}
