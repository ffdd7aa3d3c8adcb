import { bytesOf, type SqlEngine } from '../words/sql.ts'

/** Answers every statement of every service with 1, in this process. It is no database: what it shows is who gets that far. */
export const createStandInEngine = (): SqlEngine => ({
  name: 'a stand-in',
  run: async () => ({ status: 200, headers: {}, body: bytesOf('1\n') }),
  listServices: () => [],
  suspend() {},
  async drop() {},
  async close() {},
})
