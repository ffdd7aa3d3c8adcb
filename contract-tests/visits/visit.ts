import { type Form, type OperationId, operations } from '../../fixtures/contract/index.ts'
import { resourceOf } from '../engine/contract.ts'
import type { CreatableResource } from '../engine/creatable-resources.ts'
import type { As } from '../engine/credentials.ts'
import { isSuccess } from '../engine/exchange.ts'
import { lacksPath, type PathValues, pathOf, pathValues } from '../engine/paths.ts'
import { idNameOf, isObject } from '../engine/recognise.ts'
import { type Draft, isRead, type RunContext, type Step, stepOf } from '../engine/step.ts'
import { isLocal } from '../engine/target/target.ts'
import { parentsOf, stepOfList, valuesFrom } from './listed-id.ts'

/**
 * A visit is what a run sends in one form for one family. Each line adds a request and returns its handle, by which
 * later lines, other visits and checks name it. Writing a visit sends nothing: the run sends the lines that its rules
 * need, in their order (`run/turns.ts`).
 */

declare const line: unique symbol
export type Line = string & { readonly [line]: true }

/** Something that the run creates. */
export interface Thing {
  readonly line: Line
  readonly resource: CreatableResource
  /** The line that waits until it can be used. */
  readonly ready?: Line
  /** The thing of the run that contains it. */
  readonly within?: Thing
}

/** What differs from the usual request: the method and path of the operation, the good key, no body. */
export interface Call
  extends Partial<
    Pick<
      Step,
      | 'method'
      | 'why'
      | 'creates'
      | 'deletes'
      | 'beyond'
      | 'needsAllowedEffect'
      | 'settled'
      | 'from'
      | 'after'
      | 'before'
    >
  > {
  /** The name of the step without its form; by default the operation. */
  readonly name?: string
  /** Also a key that the run created. */
  readonly as?: As | Thing
  /** The thing of the run that it acts on. */
  readonly on?: Thing
  /** What contains it. Writes are sent only within a thing of the run; reads also within what the target names. */
  readonly within?: Thing
  /** Sent only within a thing of the run even where it reads: always, or unless the run only reads. */
  readonly isOwn?: 'always' | 'in a run that writes'
  /** Further path values; undefined when they are not known. */
  readonly values?: PathValues | ((context: RunContext) => PathValues | undefined)
  readonly query?: (context: RunContext) => Readonly<Record<string, string>> | undefined
  readonly body?: object | ((context: RunContext) => unknown)
  readonly rawBody?: string
  readonly headers?: Readonly<Record<string, string>>
  /** Why there is no body or no query. */
  readonly otherwise?: string | ((context: RunContext) => Draft)
  /** Returns why it is not sent. */
  readonly unless?: (context: RunContext) => string | undefined
  /** Sent only if this line succeeded. */
  readonly ifSucceeds?: string
  /** Why it is sent on loopback only, such as that it acts on things of others. */
  readonly loopbackOnly?: string
  /** Its answer says nothing about the operation, such as the refusal of a wrong query. */
  readonly isAside?: true
}

export const skip = (reason: string): Draft => ({ skip: reason })

export const idsOf = (context: RunContext, thing: Thing | undefined): PathValues =>
  thing ? { ...idsOf(context, thing.within), [idNameOf(thing.resource)]: context.created(thing.line) } : {}

const chainOf = (thing: Thing | undefined): readonly Thing[] => (thing ? [...chainOf(thing.within), thing] : [])

/** The request of an operation. Where nothing names an id of its path, the list of such things does. */
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
    unless,
    ifSucceeds,
    ...more
  } = call
  const { isAside, isOwn, loopbackOnly, rawBody, headers, ...rest } = more
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
  const lacks = (context: RunContext): Draft =>
    typeof otherwise === 'function' ? otherwise(context) : skip(otherwise ?? 'what it takes is not known')

  function pathFor(context: RunContext): Draft {
    const lost = parents.find(one => context.created(one.line) === undefined)
    if (lost && (isOwn === 'always' || (isOwn && !context.readOnly)))
      return skip(`${lost.line} created nothing that it could lie within`)
    if (lost && !isRead(rest.method ?? method))
      return skip(`it is changed only on what the run created, and ${lost.line} created nothing`)
    const id = on && context.created(on.line)
    if (on && id === undefined) return skip(`no ${on.resource} of this run is known`)
    const found = listed && valuesFrom(context.exchange(stepOfList(listed.list, form)), listed, form)
    if (listed && !found) return skip(`no list shows the id of a ${resourceOf(listed.list)}`)
    const given = typeof values === 'function' ? values(context) : (values ?? {})
    if (given === undefined) return lacks(context)
    const path = pathOf(operation, form, {
      ...pathValues(context.target),
      ...(lost ? {} : idsOf(context, within)),
      ...(on && { id, [idNameOf(on.resource)]: id }),
      ...found,
      ...given,
    })
    return path ? { path } : lacksPath(operation, form, context.target)
  }

  return {
    ...stepOf(form, name, description, context => {
      if (loopbackOnly !== undefined && !isLocal(context.target))
        return skip(`${loopbackOnly}, so it is sent on loopback only`)
      const reason = unless?.(context)
      if (reason !== undefined) return skip(reason)
      if (ifSucceeds && !isSuccess(context.exchange(ifSucceeds))) return skip(`${ifSucceeds} did not succeed`)
      const authorization = actor && credentialsOf(context, actor.line)
      if (actor && authorization === undefined) return skip('no key of this run is known with its secret')
      const draft = pathFor(context)
      if ('skip' in draft) return draft
      const asked = query?.(context)
      const content = typeof body === 'function' ? body(context) : body
      if ((query && !asked) || (body !== undefined && content === undefined)) return lacks(context)
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

/** The Authorization header of a key that a line created, whose answer alone shows the secret. */
export function credentialsOf(context: RunContext, line: string): string | undefined {
  const json = context.exchange(line)?.json
  const { result = json } = isObject(json) ? json : {}
  const { keyId, keySecret } = isObject(result) ? result : {}
  return context.created(line) !== undefined && keyId && keySecret
    ? `Basic ${btoa(`${keyId}:${keySecret}`)}`
    : undefined
}

export interface Run {
  readonly form: Form
  /** A request that is not added yet. */
  make(operation: OperationId, call?: Call): Step
  add(step: Omit<Step, 'visit'>): Line
  call(operation: OperationId, call?: Call): Line
  /** Adds a request beside the operations, by default a GET. */
  send(name: string, why: string, draft: Step['draft'], more?: Partial<Step>): Line
  /** The place among the lines where other visits use a thing that this one creates. */
  whileThere(thing: Thing): void
}

/** Writes a visit; its name is unique in the form. `lines` are the handles for checks and other visits. */
export function visit<Lines>(form: Form, name: string, write: (run: Run) => Lines) {
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
