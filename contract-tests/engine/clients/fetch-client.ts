import { answerTooLargeError, type Client, type Incoming, MAX_ANSWER_BYTES, type Outgoing } from './client.ts'

/** `timeout` is in milliseconds. */
export function createFetchClient({
  fetch = globalThis.fetch,
  timeout = 10_000,
}: {
  fetch?: typeof globalThis.fetch
  timeout?: number
} = {}): Client {
  return {
    async send({ baseUrl, method, path, headers, body }: Outgoing): Promise<Incoming> {
      const stop = new AbortController()
      // A signal from AbortSignal.any over AbortSignal.timeout can be garbage-collected before it fires; the request
      // then hangs.
      const timer = setTimeout(() => stop.abort(new DOMException('timeout', 'TimeoutError')), timeout)
      try {
        const response = await fetch(baseUrl.replace(/\/+$/, '') + path, {
          method,
          headers,
          body,
          redirect: 'manual',
          // No cached answers and no cookies of the browser: only the target answers, and only to the run's
          // credentials.
          cache: 'no-store',
          credentials: 'omit',
          signal: stop.signal,
        })
        if (response.type === 'opaqueredirect')
          throw new Error('the answer is a redirect, which a browser does not show')
        return {
          status: response.status,
          headers: Object.fromEntries(response.headers),
          text: await readText(response, stop),
        }
      } finally {
        clearTimeout(timer)
      }
    },
  }
}

async function readText({ body }: Response, stop: AbortController): Promise<string> {
  // A byte order mark is part of the answer: JSON must not have one.
  const decoder = new TextDecoder('utf-8', { ignoreBOM: true })
  const reader = body?.getReader()
  let text = ''
  for (let size = 0; reader; ) {
    const { done, value } = await reader.read()
    if (done) break
    size += value.byteLength
    if (size > MAX_ANSWER_BYTES) {
      stop.abort()
      throw answerTooLargeError()
    }
    text += decoder.decode(value, { stream: true })
  }
  return text + decoder.decode()
}
