import { startMock as start } from '../../mock-server/faces/serve.ts'

/** Starts a mock as one deployment among others, with little telemetry, and the target file by which it is reached. */
export async function startMock(options?: Parameters<typeof start>[0]) {
  const { target, ...running } = await start({ logs: 5000, ...options })
  return { ...running, target: target() }
}
