import { type Form, type OperationId, operations } from '../../fixtures/contract/index.ts'
import { resourceOf } from '../engine/contract.ts'
import type { Created } from '../engine/created.ts'
import type { As } from '../engine/credentials.ts'
import { isSuccess } from '../engine/exchange.ts'
import { lacksPath, type PathValues, pathOf, pathValues } from '../engine/paths.ts'
import { idNameOf, isObject } from '../engine/recognise.ts'
import { type Draft, isRead, type Past, type Step, stepOf } from '../engine/step.ts'
import { isLocal } from '../engine/target/target.ts'
import { parentsOf, stepOfList, valuesFrom } from './listed-id.ts'

/**
 * A visit: what a run does in one form for one family, written from top to bottom. Each line adds a request and answers with
 * its handle, by which later lines, other visits and checks name it. Nothing is sent while it is written: the run sends the
 * lines that its rules need, in their order (`run/turns.ts`).
 */

declare const line: unique symbol
/** The handle of a line: the name of its step. */
export type Line = string & { readonly [line]: true }

/** Something that a run creates, known by the line of its creation. */
export interface Thing {
  readonly line: Line
  readonly resource: Created
  /** The line that waits until it can be used. */
  readonly ready?: Line
  /** What it lies within, where the run creates that, too. */
  readonly within?: Thing
}

/** Of a request, what differs from the usual: the operation's method and path, with the good key and no body. */
export interface Call
  extends Partial<
    Pick<Step, 'method' | 'why' | 'creates' | 'deletes' | 'beyond' | 'asked' | 'settled' | 'from' | 'after' | 'before'>
  > {
  /** The name of the step, without its form; by default that of the operation. */
  readonly name?: string
  /** Whose credentials it has: also those of a key that the run created. */
  readonly as?: As | Thing
  /** The thing of the run that it acts on. */
  readonly on?: Thing
  /** What it lies within. What writes is sent only within a thing of the run; what reads, else within what the target names. */
  readonly within?: Thing
  /** It is sent only within a thing of the run, also where it reads: always, or unless the run only reads. */
  readonly isOwn?: 'always' | 'in a run that writes'
  /** Further values of the path; undefined when they are not known. */
  readonly values?: PathValues | ((past: Past) => PathValues | undefined)
  readonly query?: (past: Past) => Readonly<Record<string, string>> | undefined
  readonly body?: object | ((past: Past) => unknown)
  /** A body that is not JSON. */
  readonly rawBody?: string
  readonly headers?: Readonly<Record<string, string>>
  /** Why there is no body or no query. */
  readonly otherwise?: string | ((past: Past) => Draft)
  /** It is sent only where this line succeeded. */
  readonly ifSucceeds?: string
  /** Why it is sent on loopback only, such as to what is not the run's own. */
  readonly isLocal?: string
  /** True when its answer tells nothing of its operation, such as the refusal of a wrong query. */
  readonly isAside?: true
}

export const skip = (reason: string): Draft => ({ skip: reason })

/** The ids in paths of what the run created. */
export const idsOf = (past: Past, thing: Thing | undefined): PathValues =>
  thing ? { ...idsOf(past, thing.within), [idNameOf(thing.resource)]: past.created(thing.line) } : {}

/** A thing and all that it lies within. */
const chainOf = (thing: Thing | undefined): readonly Thing[] => (thing ? [...chainOf(thing.within), thing] : [])

/** The request of an operation; where nothing names an id of its path, the contract's list of such things does. */
export function callOf(form: Form, visit: string, operation: OperationId, call: Call = {}): Step {
  const {
    name = operation,
    as = 'key',
    on,
    within = on?.within,
    values,
    query,
    body,
    otherwise,
    ifSucceeds,
    ...more
  } = call
  const { isAside, isOwn, isLocal: local, rawBody, headers, ...rest } = more
  const { method, description } = operations[operation]
  const parents = chainOf(within)
  const actor = typeof as === 'object' ? as : undefined
  const isNamed = on !== undefined || within !== undefined || values !== undefined
  const listed = isNamed ? undefined : parentsOf(operation, form).at(-1)
  const used = [...parents, ...(on ? [on] : [])].flatMap(({ ready }) => ready ?? [])
  const from = [
    ...used.filter(one => one !== `${form}:${name}`),
    ...parents.map(one => one.line),
    ...(on ? [on.line] : []),
    ...(actor ? [actor.line] : []),
    ...(listed ? [stepOfList(listed.list, form)] : []),
    ...(ifSucceeds ? [ifSucceeds] : []),
    ...(rest.from ?? []),
  ]
  const lacks = (past: Past): Draft =>
    typeof otherwise === 'function' ? otherwise(past) : skip(otherwise ?? 'what it takes is not known')

  function pathFor(past: Past): Draft {
    const lost = parents.find(one => past.created(one.line) === undefined)
    if (lost && (isOwn === 'always' || (isOwn && !past.readOnly)))
      return skip(`${lost.line} created nothing that it could lie within`)
    if (lost && !isRead(rest.method ?? method))
      return skip(`it is changed only on what the run created, and ${lost.line} created nothing`)
    const id = on && past.created(on.line)
    if (on && id === undefined) return skip(`no ${on.resource} of this run is known`)
    const found = listed && valuesFrom(past.exchange(stepOfList(listed.list, form)), listed, form)
    if (listed && !found) return skip(`no list shows the id of a ${resourceOf(listed.list)}`)
    const given = typeof values === 'function' ? values(past) : (values ?? {})
    if (given === undefined) return lacks(past)
    const path = pathOf(operation, form, {
      ...pathValues(past.target),
      ...(lost ? {} : idsOf(past, within)),
      ...(on && { id, [idNameOf(on.resource)]: id }),
      ...found,
      ...given,
    })
    return path ? { path } : lacksPath(operation, form, past.target)
  }

  return {
    ...stepOf(form, name, description, past => {
      if (local !== undefined && !isLocal(past.target)) return skip(`${local}, so it is sent on loopback only`)
      if (ifSucceeds && !isSuccess(past.exchange(ifSucceeds))) return skip(`${ifSucceeds} did not succeed`)
      const authorization = actor && credentialsOf(past, actor.line)
      if (actor && authorization === undefined) return skip('no key of this run is known with its secret')
      const draft = pathFor(past)
      if ('skip' in draft) return draft
      const asked = query?.(past)
      const content = typeof body === 'function' ? body(past) : body
      if ((query && !asked) || (body !== undefined && content === undefined)) return lacks(past)
      return {
        path: `${draft.path}${asked ? `?${new URLSearchParams(asked)}` : ''}`,
        ...(content !== undefined && { body: content }),
        ...(rawBody !== undefined && { rawBody }),
        ...((headers || authorization) && { headers: { ...headers, ...(authorization && { authorization }) } }),
      }
    }),
    visit,
    method,
    ...(isAside ? {} : { operation }),
    ...rest,
    as: actor ? 'created' : (as as As),
    from,
    ...(on && { on: on.line }),
    ...(!on && parents.length > 0 && !isRead(method) && { on: parents.at(-1)!.line }),
  }
}

/** The Authorization header of a key that a line created; its secret is shown in the answer alone. */
export function credentialsOf(past: Past, line: string): string | undefined {
  const json = past.exchange(line)?.json
  const { result = json } = isObject(json) ? json : {}
  const { keyId, keySecret } = isObject(result) ? result : {}
  return past.created(line) !== undefined && keyId && keySecret ? `Basic ${btoa(`${keyId}:${keySecret}`)}` : undefined
}

/** What a visit is written with. */
export interface Run {
  readonly form: Form
  /** A request that is no line of the visit yet. */
  make(operation: OperationId, call?: Call): Step
  /** Adds a step as it stands. */
  add(step: Omit<Step, 'visit'>): Line
  /** Adds a request of an operation. */
  call(operation: OperationId, call?: Call): Line
  /** Adds a request beside the operations: a GET, unless `more` says otherwise. */
  send(name: string, why: string, draft: Step['draft'], more?: Partial<Step>): Line
  /** Here, between two lines, other visits do what they do with a thing that this one creates. */
  whileThere(thing: Thing): void
}

export interface Visit<Lines> {
  readonly steps: readonly Step[]
  /** What the visit hands out to checks and to other visits. */
  readonly lines: Lines
}

/** Writes a visit of one form; its name tells it from the others of the form. */
export function visit<Lines>(form: Form, name: string, write: (run: Run) => Lines): Visit<Lines> {
  const steps: Step[] = []
  const awaits: string[] = []
  const visit = `${form}:${name}`
  const run: Run = {
    form,
    make: (operation, call) => callOf(form, visit, operation, call),
    add(step) {
      steps.push({ ...step, visit, ...(awaits.length > 0 && { awaits: [...awaits] }) })
      return step.name as Line
    },
    call: (operation, call) => run.add(run.make(operation, call)),
    send: (name, why, draft, more) => run.add(stepOf(form, name, why, draft, more)),
    whileThere: ({ line }) => void awaits.push(line),
  }
  return { steps, lines: write(run) }
}
