import { defineConfig } from 'vitest/config'

const judging = [
  'contract-tests/harness/*.test.ts',
  'contract-tests/self/examples.test.ts',
  'mock-server/core/*.test.ts',
  'mock-server/core/{accept,behaviours,charts}/**/*.test.ts',
]

/**
 * The tests that mutants are shown to: those that judge values, without sockets, builds and the whole suite. MUTATION_TESTS
 * names fewer, for a slice that is to end within minutes.
 */
export default defineConfig({
  test: { include: process.env.MUTATION_TESTS?.split(' ') ?? judging, testTimeout: 5000 },
})
