import { type Contract, type OperationId, contract as ours } from '../../fixtures/built-contract/index.ts'
import { findOperation } from '../engine/contract.ts'
import { type CreatableResource, hasLife, type ResourceWithLife } from '../engine/creatable-resources.ts'
import { type Exchange, isSuccess } from '../engine/exchange.ts'
import { creationMark, updateMark } from '../engine/mark.ts'
import { listIn } from '../engine/pages.ts'
import { because } from '../engine/reasons.ts'
import { findObject, idNameOf, idOf, type JsonObject, sameId } from '../engine/recognise.ts'
import type { RequestOrSkip, RunContext, Step } from '../engine/step.ts'
import { hasGoneField } from './fit-body.ts'
import { addPages } from './lists.ts'
import { type CallOptions, type CreatedObject, type Line, type Run, skip } from './visit.ts'
import { addWhole, type Whole } from './whole/whole-life.ts'

/**
 * What the life of a resource needs besides the contract. A run creates `main` and its sibling `spare`, and lists, gets, updates
 * and deletes `main`; `spare` must not change. `alias` is `main`, `spare` or the name of a further object.
 */
export interface Life {
  /** The body of a creation; undefined if an id in it is not known. */
  readonly body: (context: RunContext, name: string, alias: string) => object | undefined
  /** The body of an update. Default: the body of a creation; a PATCH sends only its name, so that the other fields must stay. */
  readonly change?: (context: RunContext, name: string, alias: string) => object | undefined
  readonly skipWithoutBody?: (context: RunContext, alias: string) => RequestOrSkip
  /** Steps whose answers the body of a creation is made from. */
  readonly from?: (alias: string) => readonly string[]
  /** The id of an object to get if the run created none. Default: the first of the list. */
  readonly known?: (context: RunContext) => string | undefined
  /** The created object that contains the objects of this life. */
  readonly within?: CreatedObject
  /** The states in which `main` can be used. */
  readonly ready?: readonly string[]
  /** What the contract does not say about bodies with all of its fields. */
  readonly whole?: Whole
}

interface Creation extends Pick<CallOptions, 'ifSucceeds' | 'notJudgedByOperation' | 'unless' | 'why'> {
  readonly alter?: (body: Readonly<Record<string, unknown>>, context: RunContext) => object
}

/** The letters that sort `third` before `main` before `spare`, unlike the order of their creation. */
const letters: Readonly<Record<string, string>> = { main: 'b', spare: 'c', third: 'a' }

export const nameOf = (context: RunContext, resource: CreatableResource, alias: string): string =>
  nameWith(creationMark(context.runMark, resource), alias, resource)
const nameWith = (mark: string, alias: string, resource: CreatableResource) =>
  `stack-parity ${mark} ${letters[alias] ?? alias} ${resource}`

const nameOnly = (body: object): object => ('name' in body ? { name: body.name } : body)

/** Seconds after a stop for which a deletion may be refused with 409. */
const MAX_CONFLICT_SECONDS = 120

export function lifeOf(run: Run, resource: ResourceWithLife, life: Life) {
  const { form, contract } = run
  const { operations, rules } = contract
  const { within } = life
  const operationIdOf = (verb: string) => `${resource}.${verb}` as OperationId
  const isInForm = (id: OperationId) => operations[id]?.paths[form] !== undefined
  const update = updateOf(resource, contract)
  const stepName = (name: string) => `${form}:${resource}.${name}`
  const objectOf = (alias: string): CreatedObject => ({
    line: stepName(`create-${alias}`) as Line,
    resource,
    within,
    ...(life.ready && alias === 'main' && { ready: stepName('ready') as Line }),
  })
  const [main, spare] = [objectOf('main'), objectOf('spare')]
  const hasSpare = !isCostly(resource, contract)

  const stepOf = (id: OperationId, call: CallOptions & { readonly name: string }): Step =>
    run.make(id, {
      within,
      ...(within && { onlyWithinOwn: 'in a run that writes' }),
      ...call,
      name: `${resource}.${call.name}`,
    })
  /** Adds a step if the form has its operation. */
  const add = (step: Step): Line | undefined =>
    isInForm(step.operation ?? operationIdOf('list')) ? run.add(step) : undefined
  /** Skips a read if none of these writes was sent. */
  const unlessUnsent =
    (written: readonly string[]): CallOptions['unless'] =>
    context =>
      written.some(name => context.exchange(name)) ? undefined : 'it is not needed'
  /** Repeats a read while the contract lets it lag behind these writes. */
  const pollAfter = (verb: string, after: readonly string[], until: NonNullable<Step['poll']>['until']) => ({
    poll: { after, withinSeconds: operations[operationIdOf(verb)]?.lagInSeconds ?? 0, until },
  })
  const isListed = (exchange: Exchange, context: RunContext, object: CreatedObject): boolean => {
    const id = context.created(object.line)
    return id !== undefined && !!listIn(exchange, resource)?.some(item => sameId(idOf(item, resource) ?? '', id))
  }

  const list = (name = 'list', why = `lists ${resource}s`, call: CallOptions = {}) =>
    add(stepOf(operationIdOf('list'), { ...call, name, why, values: {} }))
  const stepOn = (object: CreatedObject, id: OperationId, call: CallOptions & { readonly name: string }): Step => {
    const isGet = call.name === 'get'
    const onOwn = stepOf(id, { ...(isGet && { from: [stepName('list')] }), ...call, on: object })
    if (!isGet) return onOwn
    // Objects that the run did not create are only read.
    const onOther = stepOf(id, {
      ...call,
      values: context => {
        const id = life.known?.(context) ?? idOf(listIn(context.exchange(stepName('list')), resource)?.[0], resource)
        return id === undefined ? undefined : { id, [idNameOf(resource)]: id }
      },
      skipReason: because('no {resource} is known', { resource }),
    })
    return {
      ...onOwn,
      makeRequest: context => (context.created(object.line) === undefined ? onOther : onOwn).makeRequest(context),
    }
  }
  const get = (name = 'get', object = main, why = `gets the ${resource}`, call: CallOptions = {}) =>
    add(stepOn(object, operationIdOf('get'), { ...call, name, why }))
  const asPatch = (request: RequestOrSkip): RequestOrSkip =>
    'path' in request ? { ...request, method: 'PATCH', body: nameOnly(request.body as object) } : request
  const skipWithoutBody = (alias: string) => (context: RunContext) =>
    life.skipWithoutBody?.(context, alias) ?? skip('its body cannot be made')
  const updateStep = (name: string): Step => {
    const { method } = operations[update!]
    const step = stepOn(main, update!, {
      name,
      why: `updates the ${resource} by ${method}`,
      body: context => {
        const newName = nameWith(updateMark(context.runMark), 'main', resource)
        const body = (life.change ?? life.body)(context, newName, 'main')
        return body && !life.change && method === 'PATCH' ? nameOnly(body) : body
      },
      skipReason: skipWithoutBody('main'),
    })
    /** True if an earlier update succeeded by PATCH. */
    const isByPatch = (context: RunContext) => isSuccess(context.exchange(stepName('update-by-patch')))
    return {
      ...step,
      makeRequest: context => (isByPatch(context) ? asPatch(step.makeRequest(context)) : step.makeRequest(context)),
    }
  }
  const remove = (object: CreatedObject, name: string, call: CallOptions = {}) => {
    const why = `deletes the ${resource} again`
    return add(
      stepOn(object, operationIdOf('delete'), { why, deletes: { resource, step: object.line }, ...call, name }),
    )
  }
  /** Waits until `main` is in one of these states, or gone. */
  const waitForState = (name: string, states: readonly string[], seconds: number, ...after: readonly string[]) =>
    waitForStateOf(main, name, states, seconds, ...after)
  const waitForStateOf = (
    object: CreatedObject,
    name: string,
    states: readonly string[],
    seconds: number,
    ...after: readonly string[]
  ) =>
    get(name, object, `waits until the ${resource} is ${states.join(' or ')}`, {
      from: after,
      poll: {
        after: [object.line, ...after],
        withinSeconds: seconds,
        until: exchange =>
          !isSuccess(exchange) || states.includes(String(stateOf(findObject(exchange.json, resource)))),
      },
    })

  const lines = {
    /** `unless` returns the reason for which the list is not read. */
    listBefore: (unless?: CallOptions['unless']) =>
      list('list-before', `lists ${resource}s, to distinguish them from what the run creates`, { unless }),
    create(alias: string, { why = `creates a ${resource}`, alter, ...more }: Creation = {}): CreatedObject {
      const step = stepOf(operationIdOf('create'), {
        ...more,
        name: `create-${alias}`,
        why,
        creates: resource,
        from: life.from?.(alias),
        values: {},
        body: context => {
          const body = life.body(context, nameOf(context, resource, alias), alias)
          const altered = body && alter ? alter(body as Readonly<Record<string, unknown>>, context) : body
          // What the field is for, such as that a key has expired, would not come about without it.
          const isSpecial = !aliasesOf(resource, contract).includes(alias)
          return isSpecial && hasGoneField(altered, operationIdOf('create'), contract) ? undefined : altered
        },
        skipReason: skipWithoutBody(alias),
      })
      add(step)
      return objectOf(alias)
    },
    /** Lists, creates `main` and `spare`, and waits until `main` can be used. */
    begin(): CreatedObject {
      lines.listBefore()
      lines.create('main')
      if (hasSpare) lines.create('spare')
      lines.ready()
      return main
    },
    ready: () =>
      life.ready && waitForState('ready', life.ready, operations[operationIdOf('create')]?.lagInSeconds ?? 0),
    get,
    delete: remove,
    waitForState,
    /** Sends an operation other than update and deletion to `main`, such as `service.state`. */
    act: (id: OperationId, name: string, call: CallOptions) => add(stepOn(main, id, { ...call, name })),
    /**
     * Sends to `main` the commands that should have no effect in the state that `read` shows, one of `states`: those that lead to
     * it, and those that the contract does not allow there. `ifSucceeds` is the line that led to it.
     */
    idleCommands(read: Line, states: readonly string[], ifSucceeds?: Line) {
      const id = operationIdOf('state')
      const { statesAfterCommand = {}, statesBeforeCommand = {} } = operations[id]!
      const send = (command: string, idleStates: readonly string[]) =>
        add(
          stepOn(main, id, {
            name: `${command}-while-${states[0]!.toLowerCase()}`,
            why: `sends ${command} to a ${resource} that is ${idleStates.join(' or ')}`,
            from: [read],
            ...(ifSucceeds && { ifSucceeds }),
            body: context => {
              const exchange = context.exchange(read)
              const shown = isSuccess(exchange) ? findObject(exchange.json, resource) : undefined
              return idleStates.includes(String(stateOf(shown))) ? { command } : undefined
            },
            skipReason: 'the object is in another state',
          }),
        )!
      const sendAll = (commands: typeof statesAfterCommand, isIdle: boolean) =>
        Object.entries(commands).flatMap(([command, among]) => {
          const idleStates = states.filter(state => among.includes(state) === isIdle)
          return idleStates.length > 0 ? [send(command, idleStates)] : []
        })
      return { repeated: sendAll(statesAfterCommand, true), forbidden: sendAll(statesBeforeCommand, false) }
    },
    read(): void {
      const areListed = (exchange: Exchange, context: RunContext) =>
        [main, spare].every(object => !context.created(object.line) || isListed(exchange, context, object))
      const from = hasSpare ? [main.line, spare.line] : [main.line]
      const whole = list('list', undefined, { from, ...pollAfter('create', [main.line], areListed) })
      if (whole)
        addPages(run, operationIdOf('list'), whole, call => stepOf(operationIdOf('list'), { values: {}, ...call }))
      get('get', main, undefined, pollAfter('create', [main.line], isSuccess))
      if (hasSpare) get('get-spare', spare, `gets another ${resource}, before anything is done to its sibling`)
    },
    /** Updates `main`, then reads it. If the contract leaves the method open and PUT does not succeed, PATCH is tried. */
    update(): void {
      if (!update || !isInForm(update)) return
      const [, verb = ''] = update.split('.')
      const written = [stepName(verb)]
      const first = updateStep(verb)
      add(first)
      if (updatesOf(resource, contract).length > 1) {
        written.push(stepName('update-by-patch'))
        add({
          ...first,
          name: stepName('update-by-patch'),
          method: 'PATCH',
          why: `updates the ${resource} by PATCH, since PUT did not succeed`,
          from: [...(first.from ?? []), first.name],
          makeRequest: context => {
            const put = context.exchange(first.name)
            return isSuccess(put) ? skip('PUT succeeded') : asPatch(first.makeRequest(context))
          },
        })
      }
      const showsUpdate = (exchange: Exchange, context: RunContext) =>
        JSON.stringify(exchange.json ?? null).includes(updateMark(context.runMark))
      const after = { from: [...written, main.line], ...pollAfter(verb, written, showsUpdate) }
      get('get-after-update', main, `gets the ${resource} after its update`, after)
      list('list-after-update', `lists ${resource}s after the update of one`, {
        ...after,
        unless: unlessUnsent(written),
      })
    },
    end(...from: readonly string[]): void {
      const deleted = stepName('delete')
      const after = { from: [deleted, main.line, ...from] }
      const isNoConflict = ({ response }: Exchange) => response.status !== 409
      const needsStop = operations[operationIdOf('create')]?.undoSteps?.includes('stop')
      const stopping = { poll: { after: [main.line], withinSeconds: MAX_CONFLICT_SECONDS, until: isNoConflict } }
      const deletedObject = `the ${resource} that was deleted`
      remove(main, 'delete', { from, ...(needsStop ? stopping : {}) })
      get('get-after-delete', main, `gets ${deletedObject}`, {
        ...after,
        ...pollAfter('delete', [deleted], exchange => !isSuccess(exchange)),
      })
      // The reads below show that the second deletion deletes nothing else.
      add(
        stepOn(main, operationIdOf('delete'), {
          ...after,
          name: 'delete-after-delete',
          why: `deletes ${deletedObject}`,
        }),
      )
      list('list-after-delete', `lists ${resource}s without the deleted one`, {
        ...after,
        ...pollAfter('delete', [deleted], (exchange, context) => !isListed(exchange, context, main)),
        unless: unlessUnsent([deleted]),
      })
      if (hasSpare)
        get('get-spare-after-delete', spare, `gets the other ${resource}, whose sibling was deleted`, {
          from: [deleted, spare.line, ...from],
        })
      // Last, because an update may create the object again.
      if (update && isInForm(update)) {
        const step = updateStep('update-after-delete')
        add({ ...step, why: `updates ${deletedObject}`, from: [...(step.from ?? []), ...after.from] })
      }
    },
    /** Creates and changes objects with every field of the contract. */
    whole(): void {
      if (!isInForm(operationIdOf('create')) || !(`${resource}/whole-is-kept` in rules)) return
      const { ready } = life
      addWhole({
        run,
        resource,
        update,
        whole: { isCostly: !hasSpare, ...life.whole },
        from: life.from?.('whole') ?? [],
        small(context, alias, isUpdate) {
          const mark = isUpdate ? updateMark(context.runMark) : creationMark(context.runMark, resource)
          const make = isUpdate ? (life.change ?? life.body) : life.body
          return make(context, nameWith(mark, alias, resource), alias)
        },
        stepOf,
        stepOn,
        objectOf,
        ...(ready && {
          waitUntilReady: (object, name) =>
            waitForStateOf(object, name, ready, operations[operationIdOf('create')]?.lagInSeconds ?? 0, object.line),
        }),
      })
    },
    /** Adds a whole life, by the methods above. */
    live(): void {
      lines.begin()
      lines.read()
      lines.update()
      lines.whole()
      if (!hasSpare) run.awaitUsersOf(main)
      lines.end()
    },
    main,
    spare,
  }
  return lines
}

const stateOf = (object: JsonObject | undefined) => object?.state ?? object?.status

/** Undefined for a resource that cannot be updated. */
export const updateOf = (resource: string, { operations }: Contract = ours): OperationId | undefined =>
  ([`${resource}.update`, `${resource}.replace`] as OperationId[]).find(id => operations[id] !== undefined)

/** True if each object costs money by itself, not as a part of a service. Such a life has no `spare`. */
function isCostly(resource: string, contract?: Contract): boolean {
  const { effect, paths } = findOperation(`${resource}.create`, contract) ?? {}
  return effect === 'costs' && !paths?.cloud?.includes('{serviceId}')
}

/** The objects that a life creates. Three are needed to recognise the order of a list. */
export const aliasesOf = (resource: string, contract?: Contract): readonly string[] =>
  hasLife(resource, contract)
    ? [
        'main',
        ...(isCostly(resource, contract) ? [] : ['spare']),
        ...(/^(?:dashboard|alert|savedSearch)$/.test(resource) ? ['third'] : []),
      ]
    : []

/** The lines of updates: by the method of the contract, and by PATCH where the contract leaves the method open. */
export const updatesOf = (resource: string, contract: Contract = ours): readonly string[] => {
  const update = updateOf(resource, contract)
  return update
    ? [update, ...(`${resource}/update-method` in contract.gaps ? [`${resource}.update-by-patch`] : [])]
    : []
}
