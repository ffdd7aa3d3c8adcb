import type { Contract, Form, Gap, GapId } from '../../fixtures/built-contract/index.ts'
import { adviseNearest, nearest } from '../words/nearest.ts'
import { createRandom, seedOf } from '../world/random.ts'

/**
 * Choices of a deployment where the specification is silent: by form and gap. Gaps may be missing. `segment` is the
 * fixed segment of managed paths.
 */
export type Choices = { readonly [form in Form]?: Readonly<Record<string, string>> } & { readonly segment?: string }

/** The choices in force: one for every gap of every form. */
export type ChoicesInForce = Readonly<Record<Form, Readonly<Record<string, string>>>>

const forms: readonly Form[] = ['cloud', 'managed', 'selfHosted']
const listGaps = ({ gaps }: Contract) => Object.entries(gaps) as [GapId, Gap][]

/** The contract's defaults, overlaid by random choices when a seed is given, then by those of a baseline. */
export function resolveChoices(contract: Contract, baseline: Choices = {}, seed?: number): ChoicesInForce {
  judgeForms(contract, baseline)
  const { segment } = baseline
  if (segment !== undefined && !isSegment(segment)) {
    throw new Error(`take choices: segment: Expected one segment of a path, received ${JSON.stringify(segment)}`)
  }
  const choicesOf = (form: Form) => ({
    ...defaultChoices(contract, form),
    ...drawChoices(contract, form, seed),
    ...acceptChoices(contract, form, baseline[form] ?? {}),
  })
  return { cloud: choicesOf('cloud'), managed: choicesOf('managed'), selfHosted: choicesOf('selfHosted') }
}

/** The choices in force, overlaid by changes. Throws an Error about an impossible change. */
export function changeChoices(contract: Contract, inForce: ChoicesInForce, changes: Choices): ChoicesInForce {
  judgeForms(contract, changes)
  if (changes.segment !== undefined)
    throw new Error('take choices: the segment is part of every path: set it at the start, with --segment')
  const choicesOf = (form: Form) => ({ ...inForce[form], ...acceptChoices(contract, form, changes[form] ?? {}) })
  return { cloud: choicesOf('cloud'), managed: choicesOf('managed'), selfHosted: choicesOf('selfHosted') }
}

/** Merges choices, gap by gap. Those of `over` replace those of `under`. */
export function overlay(under: Choices | undefined, over: Choices | undefined): Choices | undefined {
  if (!under || !over) return over ?? under
  const merged: Record<string, unknown> = { ...under, ...over }
  for (const form of forms) if (under[form] && over[form]) merged[form] = { ...under[form], ...over[form] }
  return merged as Choices
}

/** Reads one choice, `[FORM:]GAP=VALUE`; without a form, for every form that has the gap. Throws an Error if invalid. */
export function readChoice(contract: Contract, text: string): Choices {
  const gaps = listGaps(contract)
  const [, formName, id = '', value = ''] = /^(?:(\w+):)?([^=]+)=(.*)$/s.exec(text) ?? []
  if (id === '') throw new Error(`Expected GAP=VALUE or FORM:GAP=VALUE, received "${text}"`)
  const form = forms.find(one => one === formName)
  if (formName && !form) throw new Error(`There is no form "${formName}"; ${adviseNearest(formName, forms)}`)
  const gap = gaps.find(([known]) => known === id)?.[1]
  if (!gap) throw new Error(`There is no gap "${id}"${adviseGap(contract, id, gaps)}`)
  if (gap.kind === 'shape') throw new Error(`${id} is only compared with a baseline; the mock has no choice there`)
  if (form && !gap.forms.includes(form))
    throw new Error(`The form ${form} has no gap "${id}"; it is one of ${gap.forms.join(', ')}`)
  const choices = Object.fromEntries((form ? [form] : gap.forms).map(one => [one, { [id]: value }]))
  resolveChoices(contract, choices)
  return choices
}

function judgeForms(contract: Contract, choices: Choices): void {
  const unknown = Object.keys(choices).find(key => key !== 'segment' && !forms.includes(key as Form))
  if (unknown !== undefined) {
    const gap = listGaps(contract).find(([id]) => id === unknown)?.[1]
    const advice = gap
      ? `it is a gap: write { "${gap.forms[0]}": { "${unknown}": … } }, for each form (${gap.forms.join(', ')}) on its own`
      : `the forms are ${forms.join(', ')}; "segment" is allowed too`
    throw new Error(`take choices: "${unknown}" is no form; ${advice}`)
  }
  for (const form of forms) {
    const own = choices[form]
    if (own !== undefined && (typeof own !== 'object' || own === null || Array.isArray(own))) {
      throw new Error(`take choices: ${form}: Expected an object of choices, by gap`)
    }
  }
}

/** The end of a message about an id that is no gap of the form: what the id is instead, or the nearest gap. */
const adviseGap = (contract: Contract, id: string, known: readonly (readonly [id: string, gap: Gap])[]) => {
  const elsewhere = listGaps(contract).find(([one]) => one === id)?.[1]
  if (elsewhere) return `; it is a gap of ${elsewhere.forms.join(', ')}`
  if (Object.hasOwn(contract.rules, id)) return '; it is a rule: --fault (faults) breaks one'
  if (Object.hasOwn(contract.operations, id)) return '; it is an operation'
  const suggestion = nearest(
    id,
    known.map(([one]) => one),
  )
  return `${suggestion ? `; the nearest is ${suggestion}` : ''}; stack-parity verify --list names those of every form`
}

/** Whether a value is a path segment that needs no escaping and does not begin with a dot. */
export const isSegment = (value: unknown): value is string =>
  typeof value === 'string' && /^[\w~-][\w.~-]*$/.test(value)

const gapsOf = (contract: Contract, form: Form) => listGaps(contract).filter(([, gap]) => gap.forms.includes(form))

const defaultChoices = (contract: Contract, form: Form) =>
  Object.fromEntries(
    gapsOf(contract, form).map(([id, { default: choice }]) => [
      id,
      typeof choice === 'string' ? choice : (choice[form] ?? ''),
    ]),
  )

function drawChoices(contract: Contract, form: Form, seed: number | undefined): Record<string, string> {
  if (seed === undefined) return {}
  const random = createRandom(seedOf(seed, 'choices', form))
  return Object.fromEntries(
    gapsOf(contract, form)
      .filter(([, { kind, breaks }]) => kind !== 'shape' && breaks === undefined)
      .map(([id, gap]) => [id, random.pick(gap.choices)]),
  )
}

function acceptChoices(
  contract: Contract,
  form: Form,
  choices: Readonly<Record<string, string>>,
): Record<string, string> {
  const known = new Map(gapsOf(contract, form))
  const accepted: Record<string, string> = {}
  for (const [id, choice] of Object.entries(choices)) {
    const gap = known.get(id as GapId)
    if (!gap) {
      throw new Error(`take choices: ${form} has no gap "${id}"${adviseGap(contract, id, [...known])}`)
    }
    // Shapes are observed and compared, never reproduced.
    if (gap.kind === 'shape') continue
    const further = moreChoices(id, gap)
    if (!gap.choices.includes(choice) && !further?.pattern.test(choice)) {
      const others = further ? `, or ${further.sentence}` : ''
      const suggestion = typeof choice === 'string' ? nearest(choice, gap.choices) : undefined
      const advice = suggestion ? `; the nearest is ${suggestion}` : ''
      throw new Error(
        `take choices: ${form}: "${choice}" is no choice of the mock for ${id} (${gap.question}); it takes ${gap.choices.join(', ')}${others}${advice}`,
      )
    }
    accepted[id] = choice
  }
  return accepted
}

/** Choices that deployments were seen to make and that the mock supports, although the gap does not list them. */
function moreChoices(id: string, { kind }: Gap): { readonly pattern: RegExp; readonly sentence: string } | undefined {
  if (kind === 'refusal') return anyRefusal
  if (id.endsWith('/create-status')) return anySuccess
  return id === 'chart/time-unit' ? bothUnits : undefined
}

const anyRefusal = {
  pattern: /^[2-5]\d\d (json|text|html|empty)$/,
  sentence: 'any other status from 200 to 599 with json, text, html or empty, such as 410 text',
}
const anySuccess = { pattern: /^2\d\d$/, sentence: 'any other status from 200 to 299' }
const bothUnits = { pattern: /^both accepted$/, sentence: '"both accepted"' }
