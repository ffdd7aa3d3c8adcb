import { type Exchange, isServerError } from '../engine/exchange.ts'
import { readPages } from '../engine/pages.ts'
import { baseUrlOf, type Sender, type SendResult, type StepRequest } from '../engine/send.ts'
import { isRead, type Step } from '../engine/step.ts'
import type { TargetFile } from '../engine/target/target.ts'
import type { Poll } from '../engine/waiting.ts'

/** How often a refused body is sent again without what the refusal names. */
const MAX_AMENDMENTS = 8

interface AskOptions {
  readonly target: TargetFile
  readonly sender: Sender
  readonly poll: Poll
  /** How often a read is repeated after a 5xx or a lost connection. */
  readonly repeats: number
  readonly isOver: () => boolean
  /** False if the requests would use up those that the clean-up needs. */
  readonly maySend: (count: number) => boolean
}

/** The state that a read waits for. */
interface Awaited {
  readonly withinSeconds: number
  readonly isReached: (exchange: Exchange) => boolean
  readonly onWait: () => void
}

export type Ask = ReturnType<typeof createAsk>

/** Gets one answer by as many requests as it needs: until a state is reached, a body is accepted, or a list is read to its end. */
export function createAsk({ target, sender, poll, repeats, isOver, maySend }: AskOptions) {
  /** Repeats a request until its answer shows the expected state, within the contract's lag. */
  async function askUntil(
    step: Step,
    request: StepRequest,
    { withinSeconds, isReached, onWait }: Awaited,
  ): Promise<SendResult> {
    const earlier: Exchange[] = []
    const isDone = (sent: SendResult) => {
      if (!('exchange' in sent) || isReached(sent.exchange) || !maySend(2)) return true
      earlier.push(sent.exchange)
      onWait()
      return false
    }
    const sent = await poll(() => sender.send(step, request), isDone, withinSeconds)
    if (!('exchange' in sent)) return sent
    const others = earlier.filter(one => one !== sent.exchange)
    return { exchange: { ...sent.exchange, isSettled: true, ...(others.length > 0 && { earlier: others }) } }
  }

  /** Sends a body that is refused again, without what the refusals name. */
  async function askAmended(step: Step, request: StepRequest): Promise<SendResult> {
    const earlier: Exchange[] = []
    for (let { body } = request; ; ) {
      const sent = await sender.send(step, { ...request, body })
      const refused = 'exchange' in sent && [400, 422].includes(sent.exchange.response.status) && sent.exchange
      body = refused && earlier.length < MAX_AMENDMENTS ? step.amend?.(refused, body) : undefined
      if (!refused || body === undefined || !maySend(2))
        return 'exchange' in sent && earlier.length > 0 ? { exchange: { ...sent.exchange, earlier } } : sent
      earlier.push(refused)
    }
  }

  /** Reads the further pages of a list, within the limit of requests. */
  function follow(step: Step, received: Exchange): Promise<Exchange> | Exchange {
    const [resource = '', verb] = step.operation?.split('.') ?? []
    const isList = verb === 'list' && received.request.method === 'GET' && !received.request.path.includes('?')
    if (!isList || (step.as !== 'key' && step.as !== 'secondKey')) return received
    let lostPage: string | undefined
    const pages = readPages(received, resource, baseUrlOf(target, step.form), async (path, number) => {
      if (isOver() || !maySend(2)) return undefined
      const sent = await sender.send({ ...step, name: `${step.name}, page ${number}` }, { path })
      if ('failed' in sent) lostPage = sent.failed
      return 'exchange' in sent ? sent.exchange : undefined
    })
    return pages.then(whole => (lostPage === undefined ? whole : { ...whole, lostPage }))
  }

  return {
    ask(step: Step, request: StepRequest, awaited: Awaited | undefined): Promise<SendResult> {
      if (step.amend) return askAmended(step, request)
      return awaited ? askUntil(step, request, awaited) : sender.send(step, request)
    },
    follow,
    /** Sends a request that is no step, and for a list those of all its pages; undefined when no answer came. */
    async send(step: Step, request: StepRequest, onLost?: (failed: string) => void): Promise<Exchange | undefined> {
      let sent = await sender.send(step, request)
      for (let left = repeats; left > 0 && isRead(request.method ?? step.method) && !isOver(); left--) {
        if ('exchange' in sent && !isServerError(sent.exchange)) break
        sent = await sender.send(step, request)
      }
      if ('failed' in sent) onLost?.(sent.failed)
      const received = 'exchange' in sent ? await follow(step, sent.exchange) : undefined
      return received && sender.isMemoryFull
        ? { ...received, response: { ...received.response, text: '' }, json: undefined }
        : received
    },
  }
}
