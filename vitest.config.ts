import { defineConfig } from 'vitest/config'
import { BaseSequencer, type TestSpecification } from 'vitest/node'

/** Begins with the tests that take longest, so that no worker waits for the last file of the other. */
class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]) {
    const isShort = ({ moduleId }: TestSpecification) => !/\/(?:contract-tests\/self|\.ci)\/|\.browser\./.test(moduleId)
    return (await super.sort(files)).sort((a, b) => Number(isShort(a)) - Number(isShort(b)))
  }
}

export default defineConfig({
  test: {
    // Tests beside this file are a reader's: what the README and the guides print runs here, too.
    include: ['*.test.{js,ts}', '{mock-server,contract-tests,fixtures,.ci}/**/*.test.ts'],
    // The command line is tested as it is installed.
    globalSetup: ['.ci/build.mjs'],
    // No module keeps state of a test (CONTRIBUTING.md): modules can be loaded once instead of once per file.
    isolate: false,
    // These limits end what hangs; on a machine with other work, a test may take ten times longer than alone.
    testTimeout: 120_000,
    hookTimeout: 120_000,
    expect: { poll: { timeout: 30_000 } },
    sequence: { sequencer: LongestFirst },
    // A file that waits for a process or a socket leaves its core to another.
    maxWorkers: 3,
    // Runs of the suite make many objects that live for a moment: a larger young generation takes an eighth of their time less.
    execArgv: ['--max-semi-space-size=64'],
    // CI runs real processes, sockets and a browser on two shared cores: one retry there, none locally.
    retry: process.env.CI ? 1 : 0,
    reporters: process.env.CI ? ['default', ['json', { outputFile: 'reports/tests.json' }]] : ['default'],
  },
})
