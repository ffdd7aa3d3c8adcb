import { parentPort, workerData } from 'node:worker_threads'
import { createPassedJudge } from './judge-passed.ts'
import type { Question } from './judge-thread.ts'

/** The program of the judging thread. */
const judge = createPassedJudge(workerData)

parentPort!.on('message', (question: Question) => {
  if ('judge' in question) parentPort!.postMessage(judge.judge(question.judge))
  else parentPort!.postMessage('har' in question ? judge.har() : judge.conclude())
})
