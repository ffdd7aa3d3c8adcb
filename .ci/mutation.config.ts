import { defineConfig } from 'vitest/config'

/** The tests that mutants are shown to: those that judge values, without sockets, builds and the whole suite. */
export default defineConfig({
  test: {
    include: [
      'contract-tests/harness/*.test.ts',
      'contract-tests/self/examples.test.ts',
      'mock-server/core/*.test.ts',
      'mock-server/core/{accept,behaviours,charts}/**/*.test.ts',
    ],
    testTimeout: 5000,
  },
})
