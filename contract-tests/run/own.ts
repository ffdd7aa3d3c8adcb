import { findOperation } from '../engine/contract.ts'
import { type Exchange, isServerError, isSuccess } from '../engine/exchange.ts'
import type { Ledger, LedgerEntry } from '../engine/ledger.ts'
import type { createOwnership } from '../engine/ownership.ts'
import { because, type Reason } from '../engine/reasons.ts'
import type { SendResult, StepRequest } from '../engine/send.ts'
import { isRead, type Step } from '../engine/step.ts'
import type { TargetFile } from '../engine/target/target.ts'
import { type CleanUpTools, searchFor } from './clean-up.ts'

interface OwnerOptions {
  readonly target: TargetFile
  readonly ledger: Ledger
  readonly ownership: ReturnType<typeof createOwnership>
  readonly tools: CleanUpTools
  /** How often a request is repeated after a 5xx or a lost connection, if `mayRepeat` allows it. */
  readonly repeats: number
  readonly isOver: () => boolean
  /** Gets an object that may be the run's own. */
  readonly getOwn: (step: Step, path: string) => Promise<Exchange | undefined>
}

/** Writes each creation to the ledger before it is sent, and what came of it after, so that the clean-up finds it. */
export function createOwner({ target, ledger, ownership, tools, repeats, isOver, getOwn }: OwnerOptions) {
  /** True when an earlier creation may have succeeded without having been listed yet. */
  const isUncertain = ({ form, creates }: Step) =>
    ledger
      .left()
      .some(entry => entry.form === form && entry.resource === creates && entry.id === undefined && !entry.probe)

  /**
   * Whether a failed request may be repeated: a read or a write without effect always, a creation once a list has shown
   * whether it took place, another write while its object still exists.
   */
  async function mayRepeat(step: Step, request: StepRequest, entry: LedgerEntry | undefined): Promise<boolean> {
    const { effect } = findOperation(step.operation) ?? {}
    if (isRead(request.method ?? step.method) || effect === 'none') return true
    if (entry) {
      if (!entry.deleted) await searchFor(entry, target, ledger, tools)
      return entry.deleted === true || entry.id !== undefined
    }
    const object = step.on === undefined ? undefined : await getOwn(step, request.path)
    return object !== undefined && isSuccess(object)
  }

  return {
    /** Why a creation is not sent: `skipped` if it could not be proved, `failed` if an earlier one may have taken place. */
    whyNotCreate(
      step: Step,
      request: StepRequest,
    ): { readonly skipped: Reason } | { readonly failed: string } | undefined {
      if (!step.creates) return undefined
      if (!ownership.isRecognisable(step.creates, request))
        return { skipped: 'neither a name nor a dashboard of this run would prove that the run created the object' }
      if (repeats === 0 || !isUncertain(step)) return undefined
      const pattern = 'it is not known whether an earlier {resource} was created, so none is created again'
      return { failed: because(pattern, { resource: step.creates }).sentence }
    },

    /** Sends a request, after writing a creation to the ledger; repeats it when allowed. */
    async transmit(step: Step, request: StepRequest, moment: number, sendOnce: () => Promise<SendResult>) {
      for (let left = repeats; ; left--) {
        const entry = step.creates && ownership.intend(step, step.creates, request, moment)
        const sent = await sendOnce()
        const hasFailed = 'exchange' in sent ? isServerError(sent.exchange) : 'failed' in sent && sent.mayRetry
        const isLast = left === 0 || !hasFailed || isOver()
        if (entry && !('exchange' in sent) && ('notSent' in sent || sent.isUnsent)) ledger.dismiss(entry)
        if (isLast || !(await mayRepeat(step, request, entry))) return { sent, entry }
      }
    },

    /** Records what the answer says of the run's objects. */
    async record(step: Step, entry: LedgerEntry | undefined, received: Exchange, moment: number): Promise<void> {
      const { status } = received.response
      if (entry && isSuccess(received)) await ownership.recordCreation(step, entry, received, moment)
      // 501 means an unknown method: like a refusal, it created nothing.
      else if (entry && (status < 500 || status === 501)) ledger.dismiss(entry)
      if (step.as === 'key' && received.request.method === 'GET') ownership.confirmDeletions(received)
      if (isSuccess(received)) ownership.recordChange(step, received, moment)
    },
  }
}
