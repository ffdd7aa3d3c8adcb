import type { Contract, Effect, OperationId } from '../../fixtures/built-contract/index.ts'
import { findOperation, isOnlyInDocuments, resourceOf } from '../engine/contract.ts'
import type { Ledger } from '../engine/ledger.ts'
import { pathTemplateOf, valuesIn } from '../engine/paths.ts'
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
  readonly contract?: Contract | undefined
}

/** Why a step is not sent, because of its effect on the target; undefined when it may be sent. */
export function whyHeldBack(step: Step, { target, readOnly, allowEffects, contract }: Permission): Reason | undefined {
  if (readOnly && !isRead(step.method)) return 'it writes, and this run is read-only'
  if (isOfUnknownEffect(step) && !isMock(target)) {
    const operation = step.operation!
    if (!Object.keys(effectPhrases).every(effect => allowEffects?.includes(effect as Effect)))
      return because(
        '{operation} has an unknown effect, since only the document has it: all four --allow-effects allow it',
        {
          operation,
        },
      )
    if (!isTakenBack(operation, contract))
      return because('{operation} has an unknown effect, which no deletion takes back, so it is sent on a mock only', {
        operation,
      })
  }
  if (isWithoutDeletion(step, contract)) return 'the document does not have the deletion of what it creates'
  const isOwn = step.on !== undefined || isRead(step.method)
  const { effect = 'free' } = step.effect || isOwn ? step : (findOperation(step.operation, contract) ?? {})
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

/**
 * True for a write whose operation only a vendor's document has: nobody has decided what it does to a deployment, so that it
 * counts as having all effects.
 */
export const isOfUnknownEffect = ({ operation, method }: Pick<Step, 'operation' | 'method'>): boolean =>
  operation !== undefined && findOperation(operation) === undefined && !['GET', 'HEAD'].includes(method)

/** True for a creation of what only our contract can delete: what it creates would be left behind. */
const isWithoutDeletion = ({ creates, form }: Step, contract: Contract | undefined): boolean => {
  const deletion = `${creates}.delete` as OperationId
  return creates !== undefined && !!pathTemplateOf(deletion, form) && !pathTemplateOf(deletion, form, contract)
}

/** True for the writes to a resource that only the document has, if it has the deletion: not for actions. */
const isTakenBack = (operation: OperationId, contract: Contract | undefined) => {
  const [resource = '', verb = ''] = operation.split('.')
  const isOfLife = ['create', 'update', 'replace', 'delete'].includes(verb)
  return isOfLife && isOnlyInDocuments(resource) && findOperation(`${resource}.delete`, contract) !== undefined
}

/** Why a write of unknown effect is not sent: beyond a mock of ours, it must lie below what the run created. */
export function whyOutside(
  step: Step,
  path: string,
  { target, contract, ledger }: Pick<Permission, 'target' | 'contract'> & { readonly ledger: Ledger },
): Reason | undefined {
  const { operation, form } = step
  if (!isOfUnknownEffect(step) || isMock(target)) return undefined
  const collection = pathTemplateOf(`${resourceOf(operation)}.list` as OperationId, form, contract) ?? ''
  const [place = '', parent = ''] = /^.*\{(\w+)\}/.exec(collection) ?? []
  const id = valuesIn(place, path.split('/').slice(0, place.split('/').length).join('/'))?.[parent]
  const isOwn = ledger
    .left()
    .some(entry => entry.id !== undefined && entry.id === id && `${entry.resource}Id` === parent)
  return isOwn
    ? undefined
    : because('{operation} has an unknown effect, and is sent only below what the run created', {
        operation: operation!,
      })
}
