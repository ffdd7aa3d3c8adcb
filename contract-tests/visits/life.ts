import { gaps, type OperationId, operations } from '../../fixtures/contract/index.ts'
import { findOperation } from '../engine/contract.ts'
import type { CreatableResource } from '../engine/creatable-resources.ts'
import { type Exchange, isSuccess } from '../engine/exchange.ts'
import { creationMark, updateMark } from '../engine/mark.ts'
import { listIn } from '../engine/pages.ts'
import { findObject, idNameOf, idOf, type JsonObject, sameId } from '../engine/recognise.ts'
import { isLiving, type Living } from '../engine/resources-with-life.ts'
import type { Draft, RunContext, Step } from '../engine/step.ts'
import { type Call, type Line, type Run, skip, type Thing } from './visit.ts'

/** The life of `main`: created, listed, got, updated, deleted, while `spare`, its sibling, must not change. */
export interface Life {
  /** Undefined when something that it refers to is not known. */
  readonly body: (context: RunContext, name: string, thing: string) => object | undefined
  /** By default the body of a creation; for a PATCH its name alone, to see whether other fields stay. */
  readonly change?: (context: RunContext, name: string, thing: string) => object | undefined
  readonly noBody?: (context: RunContext, thing: string) => Draft
  /** Steps whose answers a body is made from. */
  readonly from?: (thing: string) => readonly string[]
  /** An id to read where the run created nothing; by default the first of the list. */
  readonly known?: (context: RunContext) => string | undefined
  readonly within?: Thing
  /** The states in which the created thing can be used. */
  readonly ready?: readonly string[]
}

interface Creation extends Pick<Call, 'ifSucceeds' | 'isAside' | 'unless' | 'why'> {
  readonly alter?: (body: Readonly<Record<string, unknown>>, context: RunContext) => object
}

const letters: Readonly<Record<string, string>> = { main: 'b', spare: 'c', third: 'a' }

export const nameOf = (context: RunContext, resource: CreatableResource, thing: string): string =>
  named(creationMark(context.run, resource), thing, resource)
const named = (mark: string, thing: string, resource: CreatableResource) =>
  `stack-parity ${mark} ${letters[thing] ?? thing} ${resource}`

const nameOnly = (body: object): object => ('name' in body ? { name: body.name } : body)

/** Seconds after a stop in which a deletion may be refused with 409. */
const REFUSED = 120

export function lifeOf(run: Run, resource: Living, life: Life) {
  const { form } = run
  const { within } = life
  const idOfVerb = (verb: string) => `${resource}.${verb}` as OperationId
  const has = (id: OperationId) => operations[id]?.paths[form] !== undefined
  const update = updateOf(resource)
  const stepName = (name: string) => `${form}:${resource}.${name}`
  const thingOf = (name: string): Thing => ({
    line: stepName(`create-${name}`) as Line,
    resource,
    within,
    ...(life.ready && name === 'main' && { ready: stepName('ready') as Line }),
  })
  const [main, spare] = [thingOf('main'), thingOf('spare')]
  const hasSpare = !isDear(resource)

  const step = (id: OperationId, call: Call & { readonly name: string }): Step =>
    run.make(id, {
      within,
      ...(within && { isOwn: 'in a run that writes' }),
      ...call,
      name: `${resource}.${call.name}`,
    })
  const add = (made: Step): Line | undefined => (has(made.operation ?? idOfVerb('list')) ? run.add(made) : undefined)
  /** Read again only after a write. */
  const ifSent =
    (written: readonly string[]): Call['unless'] =>
    context =>
      written.some(name => context.exchange(name)) ? undefined : 'not needed'
  /** Reads are repeated while the contract lets them lag behind these writes. */
  const settled = (verb: string, after: readonly string[], shows: NonNullable<Step['settled']>['shows']) => ({
    settled: { after, withinSeconds: operations[idOfVerb(verb)].lagInSeconds ?? 0, shows },
  })
  const lists = (exchange: Exchange, context: RunContext, thing: Thing): boolean => {
    const id = context.created(thing.line)
    return id !== undefined && !!listIn(exchange, resource)?.some(item => sameId(idOf(item, resource) ?? '', id))
  }

  const list = (name = 'list', why = `lists ${resource}s`, call: Call = {}) =>
    add(step(idOfVerb('list'), { ...call, name, why, values: {} }))
  const onThing = (thing: Thing, id: OperationId, call: Call & { readonly name: string }): Step => {
    const isGet = call.name === 'get'
    const made = step(id, { ...(isGet && { from: [stepName('list')] }), ...call, on: thing })
    if (!isGet) return made
    // Things of others are only read.
    const known = step(id, {
      ...call,
      values: context => {
        const id = life.known?.(context) ?? idOf(listIn(context.exchange(stepName('list')), resource)?.[0], resource)
        return id === undefined ? undefined : { id, [idNameOf(resource)]: id }
      },
      otherwise: `no ${resource} is known`,
    })
    return { ...made, draft: context => (context.created(thing.line) === undefined ? known : made).draft(context) }
  }
  const get = (name = 'get', thing = main, why = `gets the ${resource}`, call: Call = {}) =>
    add(onThing(thing, idOfVerb('get'), { ...call, name, why }))
  const asPatch = (draft: Draft): Draft =>
    'path' in draft ? { ...draft, method: 'PATCH', body: nameOnly(draft.body as object) } : draft
  const noBody = (name: string) => (context: RunContext) =>
    life.noBody?.(context, name) ?? skip('its body cannot be made')
  const change = (name: string): Step => {
    const { method } = operations[update!]
    const made = onThing(main, update!, {
      name,
      why: `updates the ${resource} by ${method}`,
      body: context => {
        const body = (life.change ?? life.body)(context, named(updateMark(context.run), 'main', resource), 'main')
        return body && !life.change && method === 'PATCH' ? nameOnly(body) : body
      },
      otherwise: noBody('main'),
    })
    const isByPatch = (context: RunContext) => isSuccess(context.exchange(stepName('update-by-patch')))
    return { ...made, draft: context => (isByPatch(context) ? asPatch(made.draft(context)) : made.draft(context)) }
  }
  const remove = (thing: Thing, name: string, call: Call = {}) => {
    const why = `deletes the ${resource} again`
    return add(onThing(thing, idOfVerb('delete'), { why, deletes: { resource, step: thing.line }, ...call, name }))
  }
  /** Waits until the thing is in one of these states, or gone. */
  const reach = (name: string, states: readonly string[], seconds: number, ...after: readonly string[]) =>
    get(name, main, `waits until the ${resource} is ${states.join(' or ')}`, {
      from: after,
      settled: {
        after: [main.line, ...after],
        withinSeconds: seconds,
        shows: exchange =>
          !isSuccess(exchange) || states.includes(String(stateOf(findObject(exchange.json, resource)))),
      },
    })

  const lines = {
    /** `unless` returns why the list need not be read. */
    listBefore: (unless?: Call['unless']) =>
      list('list-before', `lists ${resource}s, to tell them from what the run creates`, { unless }),
    create(name: string, { why = `creates a ${resource}`, alter, ...more }: Creation = {}): Thing {
      const made = step(idOfVerb('create'), {
        ...more,
        name: `create-${name}`,
        why,
        creates: resource,
        from: life.from?.(name),
        values: {},
        body: context => {
          const body = life.body(context, nameOf(context, resource, name), name)
          return body && alter ? alter(body as Readonly<Record<string, unknown>>, context) : body
        },
        otherwise: noBody(name),
      })
      add(made)
      return thingOf(name)
    },
    /** The list from before, `main` and its sibling, and the wait until they can be used. */
    begin(): Thing {
      lines.listBefore()
      lines.create('main')
      if (hasSpare) lines.create('spare')
      lines.ready()
      return main
    },
    ready: () => life.ready && reach('ready', life.ready, operations[idOfVerb('create')].lagInSeconds ?? 0),
    get,
    delete: remove,
    reach,
    /** An operation beside update and deletion, such as `service.state`. */
    act: (id: OperationId, name: string, call: Call) => add(onThing(main, id, { ...call, name })),
    read(): void {
      const areListed = (exchange: Exchange, context: RunContext) =>
        [main, spare].every(thing => !context.created(thing.line) || lists(exchange, context, thing))
      const from = hasSpare ? [main.line, spare.line] : [main.line]
      list('list', undefined, { from, ...settled('create', [main.line], areListed) })
      get('get', main, undefined, settled('create', [main.line], isSuccess))
      if (hasSpare) get('get-spare', spare, `gets another ${resource}, before anything is done to its sibling`)
    },
    /** The update, also by PATCH where the method is open and PUT does not succeed; then the reads. */
    update(): void {
      if (!update || !has(update)) return
      const [, verb = ''] = update.split('.')
      const written = [stepName(verb)]
      const first = change(verb)
      add(first)
      if (updatesOf(resource).length > 1) {
        written.push(stepName('update-by-patch'))
        add({
          ...first,
          name: stepName('update-by-patch'),
          method: 'PATCH',
          why: `updates the ${resource} by PATCH, since PUT did not succeed`,
          from: [...(first.from ?? []), first.name],
          draft: context => {
            const put = context.exchange(first.name)
            return !put || put.response.status < 300 ? skip('PUT succeeded') : asPatch(first.draft(context))
          },
        })
      }
      const isNamed = (exchange: Exchange, context: RunContext) =>
        JSON.stringify(exchange.json ?? null).includes(updateMark(context.run))
      const after = { from: [...written, main.line], ...settled(verb, written, isNamed) }
      get('get-after-update', main, `gets the ${resource} after its update`, after)
      list('list-after-update', `lists ${resource}s after the update of one`, { ...after, unless: ifSent(written) })
    },
    end(...from: readonly string[]): void {
      const deleted = stepName('delete')
      const after = { from: [deleted, main.line, ...from] }
      const isTaken = ({ response }: Exchange) => response.status !== 409
      const needsStop = operations[idOfVerb('create')].undo?.includes('stop')
      const stopping = { settled: { after: [main.line], withinSeconds: REFUSED, shows: isTaken } }
      const ofDeleted = `the ${resource} that was deleted`
      remove(main, 'delete', { from, ...(needsStop ? stopping : {}) })
      get('get-after-delete', main, `gets ${ofDeleted}`, {
        ...after,
        ...settled('delete', [deleted], exchange => !isSuccess(exchange)),
      })
      // The reads below show its effect: it must not delete anything else.
      add(onThing(main, idOfVerb('delete'), { ...after, name: 'delete-after-delete', why: `deletes ${ofDeleted}` }))
      list('list-after-delete', `lists ${resource}s without the deleted one`, {
        ...after,
        ...settled('delete', [deleted], (exchange, context) => !lists(exchange, context, main)),
        unless: ifSent([deleted]),
      })
      if (hasSpare)
        get('get-spare-after-delete', spare, `gets the other ${resource}, whose sibling was deleted`, {
          from: [deleted, spare.line, ...from],
        })
      // Last, because an update may create it again.
      if (update && has(update)) {
        const again = change('update-after-delete')
        add({ ...again, why: `updates ${ofDeleted}`, from: [...(again.from ?? []), ...after.from] })
      }
    },
    live(): Thing {
      lines.begin()
      lines.read()
      lines.update()
      if (!hasSpare) run.whileThere(main)
      lines.end()
      return hasSpare ? spare : main
    },
    main,
    spare,
  }
  return lines
}

const stateOf = (object: JsonObject | undefined) => object?.state ?? object?.status

/** Undefined for a resource that stays as it is created. */
export const updateOf = (resource: string): OperationId | undefined =>
  ([`${resource}.update`, `${resource}.replace`] as OperationId[]).find(id => operations[id] !== undefined)

/** True when a sibling would cost money by itself, not as a part of a service. */
export function isDear(resource: string): boolean {
  const { effect, paths } = findOperation(`${resource}.create`) ?? {}
  return effect === 'costs' && !paths?.cloud?.includes('{serviceId}')
}

export const thingsOf = (resource: string): readonly string[] =>
  isLiving(resource)
    ? [
        'main',
        ...(isDear(resource) ? [] : ['spare']),
        ...(/^(?:dashboard|alert|savedSearch)$/.test(resource) ? ['third'] : []),
      ]
    : []

/** The lines that change a thing: by the operation of the contract, and by PATCH where the method is open. */
export const updatesOf = (resource: string): readonly string[] => {
  const update = updateOf(resource)
  return update ? [update, ...(`${resource}/update-method` in gaps ? [`${resource}.update-by-patch`] : [])] : []
}
