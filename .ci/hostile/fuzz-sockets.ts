import fc from 'fast-check'
import type { TargetFile } from '../../mock-server/mock/mock.ts'
import { type Delivery, exchange, readAnswers } from './exchange.ts'
import { type FuzzOptions, maxRunMs } from './fuzz-in-process.ts'
import { findViolatedInvariant } from './invariant.ts'
import { oddBytes } from './odd-bytes.ts'
import { oddRequest } from './odd-request.ts'
import { reportSeed, shorten } from './report-seed.ts'
import {
  type Description,
  type Listener,
  listControlRequests,
  listNearControlRequests,
  listSampleRequests,
} from './sample-requests.ts'

/** The number of simultaneous connections. */
const maxConnections = 48

/** Sends unusual bytes to a mock over sockets. Throws with the seed and the bytes that broke a promise. */
export async function fuzzSockets(target: TargetFile, { requests, seed, onAnswer }: FuzzOptions): Promise<void> {
  const described = await fetch(`${target.control!.baseUrl}/control/openapi/control.json`)
  const samples = [...listSampleRequests(target), ...listControlRequests((await described.json()) as Description)]

  const deliver = async (listener: Listener, delivery: Delivery) => {
    try {
      const answers = readAnswers(await exchange(portOf(target, listener), delivery))
      for (const answer of answers) {
        onAnswer?.(answer.status)
        const broken = findViolatedInvariant(answer, listener)
        if (broken !== undefined) throw new Error(broken)
      }
      if (answers.length === 0 && delivery.mustBeAnswered) throw new Error('there is no answer')
    } catch (error) {
      const sent = JSON.stringify(Buffer.concat(delivery.pieces).toString('latin1'))
      throw new Error(`${(error as Error).message}\nwhen the ${listener} listener was sent: ${shorten(sent)}`)
    }
  }

  const fuzz = async (listener: Listener, share: number, size: number, after = async () => {}) => {
    const one = oddBytes(oddRequest(samples.filter(sample => sample.listener === listener)))
    const several = fc.array(one, { minLength: size, maxLength: size, size: 'max' })
    const property = fc.asyncProperty(several, async deliveries => {
      await Promise.all(deliveries.map(delivery => deliver(listener, delivery)))
      await after()
    })
    const numRuns = Math.ceil((requests * share) / size)
    await fc.assert(property, {
      numRuns,
      seed,
      reporter: reportSeed,
      endOnFailure: true,
      interruptAfterTimeLimit: maxRunMs,
    })
  }

  await fuzz('cloud', 0.4, maxConnections)
  await fuzz('selfHosted', 0.4, maxConnections)
  // Few requests at a time: what they change through the control plane is undone before the next ones.
  await fuzz('control', 0.2, 8, await rememberChoices(target))
}

/** Asks the control plane for everything that it describes, with nearly right words. Throws about what broke a promise. */
export async function tryNearWords({ control }: TargetFile, onAnswer?: (status: number) => void): Promise<void> {
  const described = await fetch(`${control!.baseUrl}/control/openapi/control.json`)
  for (const { method, path, query, body } of listNearControlRequests((await described.json()) as Description)) {
    const url = `${control!.baseUrl}${path}?${query}`
    const { status, headers, text } = await fetch(url, { method, body: JSON.stringify(body) }).then(async answer => ({
      status: answer.status,
      headers: Object.fromEntries(answer.headers),
      text: await answer.text(),
    }))
    onAnswer?.(status)
    const broken = findViolatedInvariant({ status, headers, body: text }, 'control')
    if (broken !== undefined) throw new Error(`${broken}\nafter ${method} ${url}`)
  }
}

export const portOf = (target: TargetFile, listener: Listener) => Number(new URL(target[listener]!.baseUrl).port)

/**
 * Returns a function that switches off faults and chaos, closes other worlds, and resets the choices, the clock and
 * the world.
 */
export async function rememberChoices({ control }: TargetFile): Promise<() => Promise<void>> {
  const ask = async (method: string, path: string, body?: unknown) => {
    const response = await fetch(`${control!.baseUrl}/control/${path}`, { method, body: JSON.stringify(body) })
    const text = await response.text()
    if (!response.ok) throw new Error(`put back ${path}: ${response.status} ${text}`)
    return text && JSON.parse(text)
  }
  const choices = await ask('GET', 'choices')
  return async () => {
    for (const { id } of await ask('GET', 'worlds')) await ask('DELETE', `worlds/${id}`)
    await ask('PUT', 'choices', choices)
    await ask('PUT', 'chaos', {})
    await ask('PUT', 'faults', [])
    await ask('POST', 'reset', { seed: 1 })
    await ask('PUT', 'clock', { now: new Date().toISOString() })
  }
}
