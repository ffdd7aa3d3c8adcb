import { existsSync } from 'node:fs'
import { type Browser, chromium, type LaunchOptions } from 'playwright-core'
import { unpackChromium } from './unpacked-chromium.ts'

/** Why browser tests are skipped. */
export const browserMissing =
  'No browser runs here: neither the Chromium of the npm package @sparticuz/chromium nor one of the system. Install one, such as "apt-get install chromium", or name it in CHROME_PATH.'

const installedPaths = [
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
  'C:\\Program Files\\Google\\Chrome\\Application\\chrome.exe',
]

/**
 * Starts a browser for tests, in the locale of a plain container, whose name is no language tag: the one named in CHROME_PATH, else that of the npm package, else an installed one. Returns
 * undefined if none starts. In continuous integration it throws instead, so that tests are not skipped unnoticed.
 */
export const launchBrowser = async (args: readonly string[] = []): Promise<Browser | undefined> =>
  (await findBrowser(args))?.browser

/** Starts a browser like `launchBrowser`, and also returns the options with which it was started. */
export async function findBrowser(
  args: readonly string[] = [],
): Promise<{ readonly browser: Browser; readonly options: LaunchOptions } | undefined> {
  const reasons: string[] = []
  for await (const options of listCandidates()) {
    try {
      const env = { ...(process.env as Record<string, string>), ...options.env, LC_ALL: 'C.UTF-8', LANGUAGE: '' }
      return { browser: await chromium.launch({ ...options, env, args: [...args], timeout: 20_000 }), options }
    } catch (error) {
      reasons.push(`${options.executablePath}: ${(error as Error).message.split('\n')[0]}`)
    }
  }
  if (process.env.CI) throw new Error([browserMissing, ...reasons].join('\n'))
  return undefined
}

async function* listCandidates(): AsyncGenerator<LaunchOptions> {
  const chosen = process.env.CHROME_PATH
  if (chosen) return yield { executablePath: chosen }
  const unpacked = await unpackChromium().catch(() => undefined)
  if (unpacked) {
    yield {
      executablePath: unpacked.executable,
      env: { ...process.env, LD_LIBRARY_PATH: unpacked.libraries } as Record<string, string>,
    }
  }
  for (const executablePath of installedPaths) if (existsSync(executablePath)) yield { executablePath }
}
