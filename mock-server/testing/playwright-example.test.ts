import { chromium } from 'playwright-core'
import { test, vi } from 'vitest'
import { browserMissing, launchBrowser } from './launch-browser.ts'

/** Runs the example unchanged, with the browser of the tests, so that Playwright's own need not be installed. */
const browser = await launchBrowser()
if (browser) {
  vi.spyOn(chromium, 'launch').mockResolvedValue(browser)
  await import('../examples/playwright.spec.ts')
} else {
  test.skip(`runs the Playwright example (${browserMissing})`, () => {})
}
