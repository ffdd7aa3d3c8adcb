import { defineConfig } from 'vitest/config'

/** For the tests that mutants are shown to: without the build. A mutant that hangs is Stryker's to find out. */
export default defineConfig({ test: { include: ['**/*.test.ts'], testTimeout: 30_000 } })
