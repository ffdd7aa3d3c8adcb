import type { Chaos } from '../core/mock.ts'

/** Waits as long as the chaos asks for: a time between its two bounds. */
export async function delay({ latencyMs }: Chaos): Promise<void> {
  if (!latencyMs) return
  const [least, most] = latencyMs
  const ms = least + Math.random() * (most - least)
  await new Promise(resolve => setTimeout(resolve, ms))
}
