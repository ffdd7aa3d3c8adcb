import { readFileSync } from 'node:fs'
import { afterAll, describe, test } from 'vitest'
import { conformance, parseTarget } from './index.ts'
import { startMock } from './self/start-mock.ts'

/** Runs the suite under vitest, against the target file that TARGET names, else against a mock. */

const file = process.env.TARGET
let close: (() => Promise<void>) | undefined
afterAll(() => close?.())

conformance({
  describe,
  test,
  ...(file ? {} : { failOn: 'documented' }),
  target: async () => {
    if (file) return parseTarget(readFileSync(file, 'utf8'), process.env)
    const mock = await startMock()
    close = mock.close
    return mock.target
  },
})
