import type {
  Basis,
  Contract,
  Form,
  Gap,
  GapId,
  Operation,
  OperationId,
  RuleId,
} from '../../../fixtures/built-contract/index.ts'
import type { Cause } from '../../words/cause.ts'
import { onceFor } from '../../words/memoize.ts'
import type { Refusal } from '../../words/refusal.ts'
import { type Context, choiceOf } from '../context.ts'
import { writeCloudMessage } from './refusal-sentence.ts'

type CauseContext = Pick<Context, 'core' | 'form' | 'id' | 'operation' | 'choiceOfGap' | 'decidingGap'>

export function causeOfSuccess(context: CauseContext): Cause {
  const { core, id, operation, decidingGap } = context
  const cause = successesOf(core.contract)[id!]
  if (decidingGap) return causeOfChoice(decidingGap, core.contract.gaps[decidingGap].question, context)
  const { disagreements } = core.document ?? {}
  const disagreement = [id, operation?.result.resource, operation?.body].flatMap(one => disagreements?.get(one!) ?? [])
  return disagreement.length > 0 ? { ...cause, why: [cause.why, ...new Set(disagreement)].join(' ') } : cause
}

const successesOf = onceFor(
  (contract: Contract) =>
    Object.fromEntries(
      Object.keys(contract.operations).map(id => [id, explainSuccess(contract, id as OperationId)]),
    ) as Readonly<Record<OperationId, Cause>>,
)

function explainSuccess(contract: Contract, id: OperationId): Cause {
  const { answersRule, basis = 'implied', description, isExample }: Operation = contract.operations[id]
  if (isExample) return { basis: 'invented', why: description }
  if (answersRule === false) return { basis, why: description }
  const rule = (answersRule ?? `${id.replace('.', '/')}-answers`) as RuleId
  return { basis: basisOf(contract, rule), rule, why: contract.rules[rule].sentence }
}

const basisOf = ({ rules }: Contract, rule: RuleId): Basis =>
  (({ must: 'stated', should: 'implied', documented: 'documented' }) as const)[rules[rule].level]

export const causeOfOptions: Cause = {
  basis: 'observed',
  why: 'Deployments answer OPTIONS everywhere, as a preflight.',
}

/** The gap whose choice decides status and shape of a refusal. */
export const gapOf = ({ kind, details }: Refusal, { operation }: CauseContext): GapId | undefined =>
  details.gap ?? (kind === 'unknownId' ? (operation?.unknownIdGap as GapId | undefined) : undefined)

/** The cause of a refusal: the gap and the choice in force, or the rule that requires it. */
export function causeOfRefusal(refusal: Refusal, status: number, context: CauseContext): Cause {
  const { contract } = context.core
  const message = writeCloudMessage(refusal, status).replace(/\.$/, '')
  const sentence = refusal.details.advice ? `${message}. ${refusal.details.advice}` : message
  const gap = refusal.details.ownBody?.gap ?? gapOf(refusal, context)
  if (gap && contract.gaps[gap].forms.includes(context.form)) return causeOfChoice(gap, sentence, context)
  const { rule, observed } = refusal.details
  if (observed) return { basis: 'observed', why: `${sentence}. ${observed}` }
  if (rule) return { basis: basisOf(contract, rule), rule, why: sentence }
  if (status !== 400) return { basis: context.operation?.basis ?? 'observed', why: sentence }
  if (context.form === 'selfHosted') return causeOfChoice('error/self-hosted-body', sentence, context)
  return { basis: 'stated', rule: 'error/bad-request-has-error-sentence', why: sentence }
}

function causeOfChoice(rule: GapId, sentence: string, context: CauseContext): Cause {
  const gap: Gap = context.core.contract.gaps[rule]
  const choice = choiceOf(context, rule)
  const isDefault = choice === defaultOf(gap, context.form)
  const reason = isDefault ? gap.reason : `The choice in force is not the default: ${choice}.`
  return {
    basis: isDefault ? gap.basis : 'observed',
    rule,
    choice,
    why: `${/[.?]$/.test(sentence) ? sentence : `${sentence}.`} ${reason}`,
  }
}

const defaultOf = ({ default: choice }: Gap, form: Form) => (typeof choice === 'string' ? choice : choice[form])
