import type { Form } from '../../fixtures/built-contract/index.ts'
import { failureOf } from '../engine/connection-failure.ts'
import type { Exchange } from '../engine/exchange.ts'
import type { Sender, SendResult } from '../engine/send.ts'
import { type Step, stepOf } from '../engine/step.ts'
import type { Answer } from '../visits/first-look.ts'

/** A GET that no rule needs. */
export const getStep = (form: Form, why: string): Step =>
  stepOf(form, 'look', why, () => ({ skip: 'it is not needed' }))

/** Sends the requests of the first look, and keeps their answers for equal requests of steps. */
export function createLooks(sender: Sender, isOver: () => boolean) {
  const answers = new Map<string, Exchange>()
  /** By form: why a request got no answer. */
  const lost = new Map<Form, string>()

  /** Repeats the request once when a lost connection or a slow answer may have been an accident. */
  async function ask(form: Form, path: string, isLast = false): Promise<Answer> {
    if (isOver()) return undefined
    const sent = await sender.send(getStep(form, 'checks whether the form answers at all'), { path })
    if ('exchange' in sent) {
      answers.set(`${form} ${path}`, sent.exchange)
      return sent.exchange
    }
    if ('notSent' in sent) return undefined
    const isAccident = sent.mayRetry && (sent.error === undefined || ['silent', 'slow'].includes(failureOf(sent.error)))
    if (!isLast && isAccident) return ask(form, path, true)
    lost.set(form, sent.failed)
    return sent.error === undefined ? undefined : sent
  }

  return {
    ask,
    /** The answer to an equal request, which is given out once. */
    take({ name, form, method, as, why, operation }: Step, path: string): SendResult | undefined {
      const key = `${form} ${path}`
      const exchange = method === 'GET' && as === 'key' ? answers.get(key) : undefined
      if (!exchange) return undefined
      answers.delete(key)
      return { exchange: { ...exchange, step: name, operation, why } }
    },
    whyLost: (form: Form) => lost.get(form),
    /** The answers that no step has taken. */
    left: (): readonly Exchange[] => [...answers.values()],
  }
}
