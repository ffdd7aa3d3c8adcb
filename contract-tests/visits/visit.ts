import { type Contract, type Form, type OperationId, contract as ours } from '../../fixtures/built-contract/index.ts'
import { resourceOf } from '../engine/contract.ts'
import type { CreatableResource } from '../engine/creatable-resources.ts'
import type { CredentialsKind } from '../engine/credentials.ts'
import { isSuccess } from '../engine/exchange.ts'
import { type PathValues, pathOf, pathValues, skipForUnknownPath } from '../engine/paths.ts'
import { because, type Reason } from '../engine/reasons.ts'
import { idNameOf, isObject, payloadOf } from '../engine/recognise.ts'
import { isRead, type RequestOrSkip, type RunContext, type Step, stepOf } from '../engine/step.ts'
import { isMock } from '../engine/target/own-mock.ts'
import { fitBody } from './fit-body.ts'
import { listedParentsOf, stepOfList, valuesFrom } from './listed-id.ts'

/**
 * A visit lists the requests that a run sends in one form for one family. Each line adds a request and returns its name, by
 * which later lines, other visits and checks refer to it. Writing a visit sends nothing: later, the run sends the lines that
 * its rules need, in the order that `run/turns.ts` derives.
 */

declare const line: unique symbol
export type Line = string & { readonly [line]: true }

/** An object that the run creates, named by the line that creates it. */
export interface CreatedObject {
  readonly line: Line
  readonly resource: CreatableResource
  /** The line that waits until the object can be used. */
  readonly ready?: Line
  /** The created object that contains it. */
  readonly within?: CreatedObject
}

/** Changes to the default request, which has the method and path of the operation, the good key and no body. */
export interface CallOptions
  extends Partial<
    Pick<
      Step,
      'method' | 'why' | 'creates' | 'deletes' | 'effect' | 'needsAllowedEffect' | 'poll' | 'from' | 'after' | 'before'
    >
  > {
  /** The name of the step without its form; by default the operation. */
  readonly name?: string
  /** The kind of credentials, or a key that the run created. */
  readonly as?: CredentialsKind | CreatedObject
  /** The created object that the request acts on. */
  readonly on?: CreatedObject
  /**
   * The created object whose path contains that of the request. If it was not created, writes are skipped and reads use
   * the target's ids.
   */
  readonly within?: CreatedObject
  /** Also skips a read if the containing object was not created: always, or unless the run only reads. */
  readonly onlyWithinOwn?: 'always' | 'in a run that writes'
  /** Further path values; undefined if they are not known. */
  readonly values?: PathValues | ((context: RunContext) => PathValues | undefined)
  readonly query?: (context: RunContext) => Readonly<Record<string, string>> | undefined
  readonly body?: object | ((context: RunContext) => unknown)
  readonly rawBody?: string
  readonly headers?: Readonly<Record<string, string>>
  /** Reason for the skip if the values, the body or the query are undefined. */
  readonly skipReason?: Reason | ((context: RunContext) => RequestOrSkip)
  /** Returns the reason for which the request is skipped, if there is one. */
  readonly unless?: (context: RunContext) => Reason | undefined
  /** Sent only if this line succeeded. */
  readonly ifSucceeds?: string
  /** Restricts the request to a mock of ours, for this reason. */
  readonly mockOnly?: string
  /** For requests that should be refused: records the exchange without its operation, whose rules then ignore it. */
  readonly notJudgedByOperation?: true
}

export const skip = (reason: Reason): RequestOrSkip => ({ skip: reason })

/** The path values of a created object and of those that contain it. */
const idsOfCreated = (context: RunContext, object: CreatedObject | undefined): PathValues =>
  object ? { ...idsOfCreated(context, object.within), [idNameOf(object.resource)]: context.created(object.line) } : {}

/** The object and those that contain it, outermost first. */
const withAncestors = (object: CreatedObject | undefined): readonly CreatedObject[] =>
  object ? [...withAncestors(object.within), object] : []

/** The step of an operation. Without `on`, `within` and `values`, the ids in its path come from lists. */
export function stepOfCall(
  form: Form,
  visit: string,
  operation: OperationId,
  call: CallOptions = {},
  contract: Contract = ours,
): Step {
  const {
    name = operation,
    as = 'key',
    on,
    within = on?.within,
    values,
    query,
    body,
    skipReason,
    unless,
    ifSucceeds,
    ...more
  } = call
  const { notJudgedByOperation, onlyWithinOwn, mockOnly, rawBody, headers, ...rest } = more
  // A document may lack an operation of this package, which is then not sent.
  const { method, description } = contract.operations[operation] ?? ours.operations[operation]
  const parents = withAncestors(within)
  const actor = typeof as === 'object' ? as : undefined
  const isNamed = on !== undefined || within !== undefined || values !== undefined
  const listedParent = isNamed ? undefined : listedParentsOf(operation, form, contract).at(-1)
  const readySteps = [...parents, ...(on ? [on] : [])].flatMap(({ ready }) => ready ?? [])
  const from = [
    ...readySteps.filter(one => one !== `${form}:${name}`),
    ...parents.map(one => one.line),
    ...(on ? [on.line] : []),
    ...(actor ? [actor.line] : []),
    ...(listedParent ? [stepOfList(listedParent.list, form, contract)] : []),
    ...(ifSucceeds ? [ifSucceeds] : []),
    ...(rest.from ?? []),
  ]
  const skipUnknown = (context: RunContext): RequestOrSkip =>
    typeof skipReason === 'function'
      ? skipReason(context)
      : skip(skipReason ?? 'the values for its path, query or body are not known')

  function makePath(context: RunContext): RequestOrSkip {
    const missingParent = parents.find(one => context.created(one.line) === undefined)
    if (missingParent && (onlyWithinOwn === 'always' || (onlyWithinOwn && !context.readOnly)))
      return skip(because('{line} did not create the object that should contain it', missingParent))
    if (missingParent && !isRead(rest.method ?? method))
      return skip(because('writes are sent only to what the run created, and {line} created nothing', missingParent))
    const id = on && context.created(on.line)
    if (on && id === undefined) return skip(because('no {resource} of this run is known', on))
    const listedValues =
      listedParent &&
      valuesFrom(context.exchange(stepOfList(listedParent.list, form, contract)), listedParent, form, contract)
    if (listedParent && !listedValues)
      return skip(because('no list shows the id of a {resource}', { resource: resourceOf(listedParent.list) }))
    const givenValues = typeof values === 'function' ? values(context) : (values ?? {})
    if (givenValues === undefined) return skipUnknown(context)
    const all = {
      ...pathValues(context.target),
      ...(missingParent ? {} : idsOfCreated(context, within)),
      ...(on && { id, [idNameOf(on.resource)]: id }),
      ...listedValues,
      ...givenValues,
    }
    const path = pathOf(operation, form, all, contract)
    return path ? { path } : skipForUnknownPath(operation, form, context.target, contract)
  }

  return {
    ...stepOf(form, name, description, context => {
      if (mockOnly !== undefined && !isMock(context.target))
        return skip(because('{why}, so it is sent on a mock only', { why: mockOnly }))
      const reason = unless?.(context)
      if (reason !== undefined) return skip(reason)
      if (ifSucceeds && !isSuccess(context.exchange(ifSucceeds)))
        return skip(because('{line} did not succeed', { line: ifSucceeds }))
      const authorization = actor && credentialsOf(context, actor.line)
      if (actor && authorization === undefined) return skip('no key of this run is known with its secret')
      const request = makePath(context)
      if ('skip' in request) return request
      const queryFields = query?.(context)
      const made = typeof body === 'function' ? body(context) : body
      const content = fitBody(made, operation, contract)
      if ((query && !queryFields) || (body !== undefined && content === undefined)) return skipUnknown(context)
      const search = new URLSearchParams(queryFields).toString()
      return {
        path: `${request.path}${search && `?${search}`}`,
        ...(content !== undefined && { body: content }),
        ...(rawBody !== undefined && { rawBody }),
        ...((headers || authorization) && { headers: { ...headers, ...(authorization && { authorization }) } }),
      }
    }),
    visit,
    method,
    ...(notJudgedByOperation ? {} : { operation }),
    ...rest,
    as: actor ? 'created' : (as as CredentialsKind),
    from,
    ...(on && { on: on.line }),
    ...(!on && parents.length > 0 && !isRead(method) && { on: parents.at(-1)!.line }),
  }
}

/** The Authorization header of a key that a line created. Only the answer to the creation shows the secret. */
export function credentialsOf(context: RunContext, line: string): string | undefined {
  const payload = payloadOf(context.exchange(line)?.json)
  const { keyId, keySecret } = isObject(payload) ? payload : {}
  return context.created(line) !== undefined && keyId && keySecret
    ? `Basic ${btoa(`${keyId}:${keySecret}`)}`
    : undefined
}

/** Adds the lines of a visit: the requests that a run will send. */
export interface Run {
  readonly form: Form
  readonly contract: Contract
  /** Makes the step of an operation without adding it. */
  make(operation: OperationId, call?: CallOptions): Step
  add(step: Omit<Step, 'visit'>): Line
  call(operation: OperationId, call?: CallOptions): Line
  /** Adds a request that belongs to no operation, by default a GET. */
  send(name: string, why: string, makeRequest: Step['makeRequest'], more?: Partial<Step>): Line
  /** Puts the lines of other visits that use a created object before the next lines of this visit. */
  awaitUsersOf(object: CreatedObject): void
}

/** Makes the steps of a visit by a contract. */
export type StepsBy = (contract?: Contract) => readonly Step[]

/** Writes a visit, whose name is unique in the form. `lines` are the names that checks and other visits refer to. */
export function visit<Lines>(form: Form, name: string, write: (run: Run) => Lines) {
  const { steps, lines } = writeVisit(form, name, write, ours)
  const stepsBy: StepsBy = (contract = ours) =>
    contract === ours ? steps : writeVisit(form, name, write, contract).steps
  return { steps: stepsBy, lines }
}

export function writeVisit<Lines>(form: Form, name: string, write: (run: Run) => Lines, contract: Contract) {
  const steps: Step[] = []
  const awaits: string[] = []
  const visit = `${form}:${name}`
  const run: Run = {
    form,
    contract,
    make: (operation, call) => stepOfCall(form, visit, operation, call, contract),
    add(step) {
      steps.push({ ...step, visit, ...(awaits.length > 0 && { awaitsUsersOf: [...awaits] }) })
      return step.name as Line
    },
    call: (operation, call) => run.add(run.make(operation, call)),
    send: (name, why, makeRequest, more) => run.add(stepOf(form, name, why, makeRequest, more)),
    awaitUsersOf: ({ line }) => void awaits.push(line),
  }
  return { steps, lines: write(run) }
}
