import { type Effect, operations } from '../../fixtures/built-contract/index.ts'
import { because, type Reason } from '../engine/reasons.ts'
import { isRead, type Step } from '../engine/step.ts'
import { isMock } from '../engine/target/own-mock.ts'
import type { TargetFile } from '../engine/target/target.ts'

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
}

/** Why a step is not sent, because of its effect on the target; undefined when it may be sent. */
export function whyHeldBack(step: Step, { target, readOnly, allowEffects }: Permission): Reason | undefined {
  if (readOnly && !isRead(step.method)) return 'it writes, and this run is read-only'
  const isOwn = step.on !== undefined || isRead(step.method)
  const { effect = 'free' } = step.effect ? step : step.operation && !isOwn ? operations[step.operation] : {}
  const isAllowed = allowEffects?.includes(effect)
  if (step.needsAllowedEffect && !isAllowed)
    return because('{operation} is sent only with --allow-effects {effect}', { operation: step.operation!, effect })
  if (effect !== 'none' && effect !== 'free' && !isMock(target) && !isAllowed)
    return because('{operation} {consequence}, which --allow-effects {effect} allows', {
      operation: step.operation!,
      consequence: effectPhrases[effect],
      effect,
    })
  return undefined
}
