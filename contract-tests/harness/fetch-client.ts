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
        // What a browser knows from elsewhere is no answer of the target, and its cookies are no credentials of the run.
        cache: 'no-store',
        credentials: 'omit',
        signal: AbortSignal.timeout(timeout),
      })
      if (response.type === 'opaqueredirect') throw new Error('the answer is a redirect, which a browser does not show')
      return { status: response.status, headers: Object.fromEntries(response.headers), text: await response.text() }
    },
  }
}
