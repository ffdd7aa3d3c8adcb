import { defineConfig } from 'vitest/config'

/** Configuration for mutation testing: no build before the tests, and a long time-out, because Stryker detects mutants that hang. */
export default defineConfig({ test: { include: ['**/*.test.ts'], testTimeout: 30_000 } })
