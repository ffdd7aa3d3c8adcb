import { defineConfig } from 'vitest/config'

export default defineConfig({
  test: {
    include: ['{mock-server,contract-tests,fixtures,.ci}/**/*.test.ts'],
    // The command line is tested as it is installed.
    globalSetup: ['.ci/build.mjs'],
    // No module keeps anything of a test (a rule of the house), so that each is loaded once and not for every file.
    isolate: false,
    testTimeout: 30_000,
    // By default one core of two would have nothing to do.
    maxWorkers: 2,
    // Real processes, sockets and a browser on two shared cores: one more try there, none at a desk.
    retry: process.env.CI ? 1 : 0,
    reporters: process.env.CI ? ['default', ['json', { outputFile: 'reports/tests.json' }]] : ['default'],
  },
})
