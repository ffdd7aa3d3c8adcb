/** Waits for the latency of an answer, if any. */
export async function delay(ms: number | undefined): Promise<void> {
  if (ms) await new Promise(resolve => setTimeout(resolve, ms))
}

/** The part of a body that is sent before its answer is truncated. */
export const halfOf = <Memory extends ArrayBufferLike>(bytes: Uint8Array<Memory>) =>
  bytes.subarray(0, bytes.length >> 1)
