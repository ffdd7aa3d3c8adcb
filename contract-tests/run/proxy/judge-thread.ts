import { Worker } from 'node:worker_threads'
import type { Report } from '../../report/report.ts'
import type { Judgement, JudgeOptions } from './judge-proxied.ts'
import type { ProxiedCall } from './proxied-call.ts'

/** A message to the judging thread. */
export type Message =
  | { readonly judge: ProxiedCall; readonly isKept: boolean }
  | { readonly record: ProxiedCall }
  | { readonly conclude: true }
  | { readonly har: true }

/** The limit of all bodies that wait to be judged. */
const maxQueuedBytes = 64 * 1024 * 1024

/** Judges calls in a thread of its own, so that passing calls on does not wait for judging. */
export function startJudgeThread(program: URL, options: JudgeOptions) {
  const worker = new Worker(program, { workerData: options })
  const waiting: { resolve(answer: unknown): void; reject(error: Error): void; readonly size: number }[] = []
  let queuedBytes = 0
  let unjudged = 0
  const settle = () => {
    const first = waiting.shift()!
    queuedBytes -= first.size
    return first
  }
  worker.on('message', answer => settle().resolve(answer))
  worker.on('error', error => {
    while (waiting.length > 0) settle().reject(error)
  })
  const post = <T>(message: Message, size = 0): Promise<T> =>
    new Promise<unknown>((resolve, reject) => {
      waiting.push({ resolve, reject, size })
      queuedBytes += size
      worker.postMessage(message)
    }) as Promise<T>
  return {
    /** Undefined for a call that is not judged because too much waits already. */
    async judge(call: ProxiedCall, isKept = true): Promise<Judgement | undefined> {
      const size = sizeOf(call)
      if (queuedBytes + size > maxQueuedBytes) {
        unjudged++
        return undefined
      }
      return post({ judge: call, isKept }, size)
    },
    /** Keeps a call that is not judged, or was judged without being kept. */
    record(call: ProxiedCall): void {
      post({ record: call }, sizeOf(call)).catch(() => {})
    },
    conclude: () => post<Report | undefined>({ conclude: true }),
    har: () => post<object>({ har: true }),
    /** How many calls were not judged because too much waited. */
    get unjudged() {
      return unjudged
    },
    close: async () => void (await worker.terminate()),
  }
}

const sizeOf = ({ request, response }: ProxiedCall) => request.body.bytes.length + response.body.bytes.length
