import { type Effect, operations } from '../../fixtures/contract/index.ts'
import { because, type Reason } from '../engine/reasons.ts'
import { isRead, type Step } from '../engine/step.ts'
import { isLocal, type TargetFile } from '../engine/target/target.ts'

/** Creations on loopback that take longer than this in real time are skipped unless an option allows them. */
const MAX_LAG_SECONDS = 60
const effectPhrases: Readonly<Record<Exclude<Effect, 'none' | 'free'>, string>> = {
  disrupts: 'disrupts what runs there',
  costs: 'costs money',
  notifies: 'notifies people',
  grants: 'grants access',
}

interface Permission {
  readonly target: TargetFile
  readonly readOnly: boolean
  readonly allowEffects?: readonly Effect[]
  /** True when waits take real time. */
  readonly isReal?: boolean
}

/** Why a step is not sent, because of its effect on the target; undefined when it may be sent. */
export function whyHeldBack(step: Step, { target, readOnly, allowEffects, isReal }: Permission): Reason | undefined {
  if (readOnly && !isRead(step.method)) return 'it writes, and this run is read-only'
  const isOwn = step.on !== undefined || isRead(step.method)
  const { effect = 'free' } = step.operation && !isOwn ? operations[step.operation] : {}
  const isAllowed = allowEffects?.includes(effect)
  if (step.needsAllowedEffect && !isAllowed)
    return because('{operation} is sent only with --allow-effects {effect}', { operation: step.operation!, effect })
  if (effect !== 'none' && effect !== 'free' && !isLocal(target) && !isAllowed)
    return because('{operation} {consequence}, which --allow-effects {effect} allows', {
      operation: step.operation!,
      consequence: effectPhrases[effect],
      effect,
    })
  const { lagInSeconds = 0 } = step.creates && step.operation ? operations[step.operation] : {}
  if (isReal && isLocal(target) && lagInSeconds > MAX_LAG_SECONDS && !isAllowed)
    return because('{operation} takes minutes where no clock can be advanced, which --allow-effects {effect} allows', {
      operation: step.operation!,
      effect,
    })
  return undefined
}
