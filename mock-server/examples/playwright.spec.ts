import { chromium, type Page } from 'playwright-core'
import { createMock } from 'stack-parity/mock-server'
import { afterAll, expect, test } from 'vitest'

const base = 'https://api.example.com'
const mock = createMock({ bases: { cloud: base } })
const browser = await chromium.launch()
afterAll(() => browser.close())

/** Answers the page's calls of the API with the mock. */
async function mockApi(page: Page) {
  await page.route(`${base}/**`, async route => {
    const request = route.request()
    const response = await mock.fetch(request.url(), {
      method: request.method(),
      headers: await request.allHeaders(),
      body: request.postData(),
    })
    const headers = Object.fromEntries(response.headers)
    await route.fulfill({ status: response.status, headers, body: await response.text() })
  })
}

test('a page lists the members', async () => {
  const page = await browser.newPage()
  await mockApi(page)
  await page.setContent('<ul></ul>')
  await page.evaluate(async ({ baseUrl, organizationId, keyId, keySecret }) => {
    const headers = { authorization: `Basic ${btoa(`${keyId}:${keySecret}`)}` }
    const response = await fetch(`${baseUrl}/v1/organizations/${organizationId}/members`, { headers })
    const { result } = await response.json()
    document
      .querySelector('ul')!
      .append(
        ...result.map(({ name, role }: { name: string; role: string }) =>
          Object.assign(document.createElement('li'), { textContent: `${name}, ${role}` }),
        ),
      )
  }, mock.target().cloud)
  expect(await page.locator('li').count()).toBe(10)
  expect(await page.locator('li').first().textContent()).toMatch(/, (admin|developer)$/)
  expect(mock.calls()).toMatchObject([{ response: { status: 200 } }])
})
