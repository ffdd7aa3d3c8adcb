/** Waits as long as an answer is to wait, if it is. */
export async function delay(ms: number | undefined): Promise<void> {
  if (ms) await new Promise(resolve => setTimeout(resolve, ms))
}

/** As much of a body as comes when its answer breaks off in the middle. */
export const halfOf = <Memory extends ArrayBufferLike>(bytes: Uint8Array<Memory>) =>
  bytes.subarray(0, bytes.length >> 1)
