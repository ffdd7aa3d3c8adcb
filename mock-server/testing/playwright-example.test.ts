import { chromium } from 'playwright-core'
import { test, vi } from 'vitest'
import { browserMissing, launchBrowser } from './launch-browser.ts'

/** The example as it stands, with the browser that the tests have: Playwright's own need not be installed here. */
const browser = await launchBrowser()
if (browser) {
  vi.spyOn(chromium, 'launch').mockResolvedValue(browser)
  await import('../examples/playwright.spec.ts')
} else {
  test.skip(`runs the Playwright example (${browserMissing})`, () => {})
}
