import { type Form, type Gap, type GapId, gaps } from '../../fixtures/contract/index.ts'
import { nearest } from '../words/nearest.ts'
import { createRandom, seedOf } from '../world/random.ts'

/** What a deployment does where the specification is silent: the choice for each gap, by form. */
export type Choices = { readonly [form in Form]?: Readonly<Record<string, string>> } & { readonly segment?: string }

/** The choices in force: one for every gap of each form. */
export type ChoicesInForce = Readonly<Record<Form, Readonly<Record<string, string>>>>

const forms: readonly Form[] = ['cloud', 'managed', 'selfHosted']
const all = Object.entries(gaps) as [GapId, Gap][]

/** The contract's defaults, overlaid by random choices when a seed is given, then by those of a baseline. */
export function resolveChoices(baseline: Choices = {}, seed?: number): ChoicesInForce {
  const unknown = Object.keys(baseline).find(key => key !== 'segment' && !forms.includes(key as Form))
  if (unknown !== undefined) {
    throw new Error(`take choices: "${unknown}" is no form; the forms are ${forms.join(', ')}, beside "segment"`)
  }
  const { segment } = baseline
  if (segment !== undefined && !isSegment(segment)) {
    throw new Error(`take choices: segment: Expected one segment of a path, received ${JSON.stringify(segment)}`)
  }
  for (const form of forms) {
    const choices = baseline[form]
    if (choices !== undefined && (typeof choices !== 'object' || choices === null || Array.isArray(choices))) {
      throw new Error(`take choices: ${form}: Expected an object of choices, by gap`)
    }
  }
  const take = (form: Form) => ({ ...byDefault(form), ...dealt(form, seed), ...accepted(form, baseline[form] ?? {}) })
  return { cloud: take('cloud'), managed: take('managed'), selfHosted: take('selfHosted') }
}

/** Whether a word is a path segment that needs no escaping and is not `.` or `..`. */
export const isSegment = (word: unknown): word is string => typeof word === 'string' && /^[\w~-][\w.~-]*$/.test(word)

const ofForm = (form: Form) => all.filter(([, gap]) => gap.forms.includes(form))

const byDefault = (form: Form) =>
  Object.fromEntries(
    ofForm(form).map(([id, { takes }]) => [id, typeof takes === 'string' ? takes : (takes[form] ?? '')]),
  )

function dealt(form: Form, seed: number | undefined): Record<string, string> {
  if (seed === undefined) return {}
  const random = createRandom(seedOf(seed, 'choices', form))
  return Object.fromEntries(
    ofForm(form)
      .filter(([, { kind, breaks }]) => kind !== 'shape' && breaks === undefined)
      .map(([id, gap]) => [id, random.pick(gap.choices)]),
  )
}

function accepted(form: Form, choices: Readonly<Record<string, string>>): Record<string, string> {
  const known = new Map(ofForm(form))
  const taken: Record<string, string> = {}
  for (const [id, choice] of Object.entries(choices)) {
    const gap = known.get(id as GapId)
    if (!gap) {
      const meant = nearest(id, [...known.keys()])
      const advice = meant ? `; the nearest is ${meant}` : ''
      throw new Error(
        `take choices: ${form} has no gap "${id}"${advice}; stack-parity verify --list names those of every form`,
      )
    }
    // Shapes are observed and compared, never reproduced.
    if (gap.kind === 'shape') continue
    const seen = seenElsewhere(id, gap)
    if (!gap.choices.includes(choice) && !seen?.reads.test(choice)) {
      const others = seen ? `, or ${seen.says}` : ''
      throw new Error(
        `take choices: ${form}: "${choice}" is nothing that the mock can do for ${id} (${gap.asks}); it takes ${gap.choices.join(', ')}${others}`,
      )
    }
    taken[id] = choice
  }
  return taken
}

/** Values beyond the listed choices that were observed on deployments and that the mock supports. */
function seenElsewhere(id: string, { kind }: Gap): { readonly reads: RegExp; readonly says: string } | undefined {
  if (kind === 'refusal') return anyRefusal
  if (id.endsWith('/create-status')) return anySuccess
  return id === 'chart/time-unit' ? bothUnits : undefined
}

const anyRefusal = {
  reads: /^[2-5]\d\d (json|text|html|empty)$/,
  says: 'any other status from 200 to 599 with json, text, html or empty, such as 410 text',
}
const anySuccess = { reads: /^2\d\d$/, says: 'any other status from 200 to 299' }
const bothUnits = { reads: /^both accepted$/, says: '"both accepted"' }
