import { startMock as start } from '../../mock-server/faces/serve.ts'

/** Starts a mock as one deployment among others: with the target file by which it is reached. */
export async function startMock(options?: Parameters<typeof start>[0]) {
  const { target, ...running } = await start(options)
  return { ...running, target: target() }
}
