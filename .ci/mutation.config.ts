import { defineConfig } from 'vitest/config'

/** For the tests that mutants are shown to: without the build, and a mutant that hangs is found out early. */
export default defineConfig({ test: { include: ['**/*.test.ts'], testTimeout: 5000 } })
