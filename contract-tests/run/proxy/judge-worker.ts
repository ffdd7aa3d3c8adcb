import { parentPort, workerData } from 'node:worker_threads'
import { createProxyJudge } from './judge-proxied.ts'
import type { Message } from './judge-thread.ts'

/** The program of the judging thread. */

const judge = createProxyJudge(workerData)

parentPort!.on('message', (message: Message) => {
  if ('judge' in message) parentPort!.postMessage(judge.judge(message.judge, message.isKept))
  else if ('record' in message) parentPort!.postMessage(judge.record(message.record))
  else parentPort!.postMessage('har' in message ? judge.har() : judge.conclude())
})
