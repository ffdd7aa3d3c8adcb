import { startMock as start } from '../../mock-server/faces/serve.ts'

/** Starts a mock with little telemetry. Returns it with the target file by which the suite reaches it. */
export async function startMock(options?: Parameters<typeof start>[0]) {
  const { target, ...running } = await start({ logs: 5000, ...options })
  return { ...running, target: target() }
}
