/** A call that went through the proxy. */
export interface PassedCall {
  readonly form: ProxiedForm
  /** When the request came, in epoch milliseconds. */
  readonly startedAt: number
  /** From the request to the end of the answer, in milliseconds. */
  readonly ms: number
  readonly request: {
    readonly method: string
    /** The path below the target's address, with its query, as it was sent. */
    readonly path: string
    readonly headers: Headers
    readonly body: KeptBody
  }
  readonly response: { readonly status: number; readonly headers: Headers; readonly body: KeptBody }
}

/** The listeners of the proxy: the managed form is reached through that of the cloud. */
export type ProxiedForm = 'cloud' | 'selfHosted'

/** Names and values in turn, as they stood on the wire. */
export type Headers = readonly (readonly [name: string, value: string])[]

export interface KeptBody {
  /** The bytes as they were sent, so compressed where `content-encoding` says it; empty beyond the limit. */
  readonly bytes: Uint8Array
  /** The length of all that was sent, in bytes. */
  readonly size: number
}

/** The largest body that is judged, in bytes; of larger ones only status and headers are. */
export const largestKept = 1024 * 1024

export const headerOf = (headers: Headers, name: string): string | undefined =>
  headers.find(([key]) => key.toLowerCase() === name)?.[1]

/** Collects the chunks of a body, and drops them all when it is larger than what is kept. */
export function createBodyKeeper(): { add(chunk: Uint8Array): void; end(): KeptBody } {
  let chunks: Uint8Array[] = []
  let size = 0
  return {
    add(chunk) {
      size += chunk.length
      if (size > largestKept) chunks = []
      else chunks.push(chunk)
    },
    end: () => ({ bytes: size > largestKept ? new Uint8Array() : Buffer.concat(chunks), size }),
  }
}
