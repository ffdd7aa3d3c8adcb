import { bytesOf, type SqlEngine } from '../words/sql.ts'

/** Answers every statement of every service with 1, so that tests see which statements reach the engine. */
export const createStandInEngine = (): SqlEngine => ({
  name: 'a stand-in',
  run: async () => ({ status: 200, headers: {}, body: bytesOf('1\n') }),
  listServices: () => [],
  suspend() {},
  async drop() {},
  async close() {},
})
