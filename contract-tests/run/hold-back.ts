import { type Effect, operations } from '../../fixtures/contract/index.ts'
import { isRead, type Step } from '../engine/step.ts'
import { isLocal, type TargetFile } from '../engine/target/target.ts'

/** Seconds of real time beyond which creations on loopback are skipped unless an option allows them. */
const LONGEST_UNASKED = 60
const describeEffect: Readonly<Record<Exclude<Effect, 'none' | 'free'>, string>> = {
  disrupts: 'disrupts what runs there',
  costs: 'costs money',
  notifies: 'notifies people',
  grants: 'grants access',
}

interface Permission {
  readonly target: TargetFile
  readonly readOnly: boolean
  readonly allowEffects?: readonly Effect[]
  readonly isReal?: boolean
}

/** Why a step is not sent, because of its effect on the target; undefined when it may be sent. */
export function whyHeldBack(step: Step, { target, readOnly, allowEffects, isReal }: Permission): string | undefined {
  if (readOnly && !isRead(step.method)) return 'it writes, and this run is read-only'
  const isOwn = step.on !== undefined || isRead(step.method)
  const { effect = 'free' } = step.operation && !isOwn ? operations[step.operation] : {}
  const isAllowed = allowEffects?.includes(effect)
  if (step.needsAllowedEffect && !isAllowed)
    return `${step.operation} is sent where --allow-effects ${effect} asks for it`
  if (effect !== 'none' && effect !== 'free' && !isLocal(target) && !isAllowed)
    return `${step.operation} ${describeEffect[effect]}, which --allow-effects ${effect} allows`
  const { lagInSeconds = 0 } = step.creates && step.operation ? operations[step.operation] : {}
  if (isReal && isLocal(target) && lagInSeconds > LONGEST_UNASKED && !isAllowed)
    return `${step.operation} takes minutes where no clock can be put forward, which --allow-effects ${effect} allows`
  return undefined
}
