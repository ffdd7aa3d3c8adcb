import type { Client, Incoming, Outgoing } from './client.ts'

/** Sends through a fetch function: in a browser, or where no socket is wanted. `timeout` is in milliseconds. */
export function createFetchClient({
  fetch = globalThis.fetch,
  timeout = 10_000,
}: {
  fetch?: typeof globalThis.fetch
  timeout?: number
} = {}): Client {
  return {
    async send({ baseUrl, method, path, headers, body }: Outgoing): Promise<Incoming> {
      const response = await fetch(baseUrl.replace(/\/+$/, '') + path, {
        method,
        headers,
        body,
        redirect: 'manual',
        signal: AbortSignal.timeout(timeout),
      })
      return { status: response.status, headers: Object.fromEntries(response.headers), text: await response.text() }
    },
  }
}
