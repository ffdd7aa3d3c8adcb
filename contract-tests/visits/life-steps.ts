import { gaps, type Operation, type OperationId, operations } from '../../fixtures/contract/index.ts'
import { type Exchange, isSuccess } from '../engine/exchange.ts'
import { updateMark } from '../engine/mark.ts'
import { listIn } from '../engine/pages.ts'
import { lacksPath, pathOf, pathValues } from '../engine/paths.ts'
import { findObject, idOf, sameId } from '../engine/recognise.ts'
import type { Draft, Past, Step } from '../engine/step.ts'

import { type Life, nameOf, skip, updatedNameOf, updateOf } from './life.ts'

const sayAs = { none: 'no credentials', wrongSecret: 'a wrong secret' } as const

/** A PATCH sends only the name, so that the answer shows whether the other fields stay. */
const nameOnly = (body: object): object => ('name' in body ? { name: body.name } : body)

/** The steps of one life, to be put into phases. */
export function stepsOfLife(life: Life) {
  const { form, resource, within = {} } = life
  const stepName = (name: string) => `${form}:${resource}.${name}`
  const operation = (verb: string) => `${resource}.${verb}` as OperationId
  const parents = Object.values(within)
  const at = (past: Past, id: OperationId, value?: string) =>
    pathOf(id, form, {
      ...pathValues(past.target),
      ...Object.fromEntries(Object.entries(within).map(([name, creation]) => [name, past.created(creation)])),
      ...(value === undefined ? {} : { id: value, [`${resource}Id`]: value }),
    })
  const lacks = (past: Past, id: OperationId): Draft => {
    const parent = parents.find(creation => past.created(creation) === undefined)
    return parent ? skip(`${parent} created nothing that it could lie within`) : lacksPath(id, form, past.target)
  }
  const step = (name: string, phase: number, why: string, draft: Step['draft'], more: Partial<Step> = {}): Step => ({
    name: stepName(name),
    form,
    phase,
    method: 'GET',
    as: 'key',
    why,
    draft,
    ...more,
    from: [...parents, ...(more.from ?? [])],
  })
  const creation = (thing: string) => stepName(`create-${thing}`)
  const noBody = (past: Past, thing: string) => life.noBody?.(past, thing) ?? skip('its body cannot be made')
  const sibling = (step: Step) => (life.alone ? [] : [step])
  /** How long reads may lag behind a write, by the contract. */
  const lagOf = (id: OperationId | undefined) => (id === undefined ? 0 : (operations[id].lagInSeconds ?? 0))
  /** Only successful writes are waited for. */
  const succeeded = (past: Past, id: OperationId) => {
    const verb = id.split('.')[1]!
    const writes = verb === 'create' ? [creation('main')] : [stepName(verb), stepName('update-by-patch')]
    return writes.some(name => {
      const came = past.exchange(name)
      return came !== undefined && isSuccess(came)
    })
  }
  const settled = (after: OperationId | undefined, shows: NonNullable<Step['settled']>['shows']): Partial<Step> =>
    after && lagOf(after) > 0
      ? {
          settled: {
            withinSeconds: lagOf(after),
            shows: (came, past) => !succeeded(past, after) || shows(came, past),
          },
        }
      : {}
  const lists = (came: Exchange, past: Past, thing: string): boolean => {
    const id = past.created(creation(thing))
    return id !== undefined && !!listIn(came, resource)?.some(item => sameId(idOf(item, resource) ?? '', id))
  }

  const list = (phase: number, name = 'list', why = `lists ${resource}s`, more: Partial<Step> = {}): Step =>
    step(
      name,
      phase,
      why,
      past => {
        const path = at(past, operation('list'))
        return path ? { path } : lacks(past, operation('list'))
      },
      { operation: operation('list'), ...more },
    )
  const create = (
    thing: string,
    phase: number,
    why = `creates a ${resource}`,
    name = `create-${thing}`,
    more: Partial<Step> = {},
  ): Step =>
    step(
      name,
      phase,
      why,
      past => {
        const path = at(past, operation('create'))
        if (!path) return lacks(past, operation('create'))
        const body = life.body(past, nameOf(past, resource, thing), thing)
        return body ? { path, body } : noBody(past, thing)
      },
      { method: 'POST', operation: operation('create'), creates: resource, from: life.from?.(thing) ?? [], ...more },
    )
  const onThing = (
    name: string,
    phase: number,
    id: OperationId,
    thing: string,
    why: string,
    more: Partial<Step> = {},
    content?: object,
  ): Step => {
    const { method } = operations[id]
    return step(
      name,
      phase,
      why,
      past => {
        const created = past.created(creation(thing))
        const known = () => life.known?.(past) ?? idOf(listIn(past.exchange(stepName('list')), resource)?.[0], resource)
        const value = created ?? (/^get(?: as|$)/.test(name) ? known() : undefined)
        if (!value) return skip(method === 'GET' ? `no ${resource} is known` : `no ${resource} of this run is known`)
        const path = at(past, id, value)
        if (!path) return lacks(past, id)
        if (id !== updateOf(resource)) return { path, ...(content && { body: content }) }
        const wanted = (life.change ?? life.body)(past, updatedNameOf(past, resource, thing), thing)
        if (!wanted) return noBody(past, thing)
        const body = method === 'PATCH' && !life.change ? nameOnly(wanted) : wanted
        const byPatch = past.exchange(stepName('update-by-patch'))
        return byPatch && isSuccess(byPatch) ? { path, method: 'PATCH', body: nameOnly(body) } : { path, body }
      },
      { method, operation: id, on: creation(thing), from: [creation(thing), stepName('list')], ...more },
    )
  }
  const get = (phase: number, name = 'get', thing = 'main', why = `gets the ${resource}`, more: Partial<Step> = {}) =>
    onThing(name, phase, operation('get'), thing, why, more)
  /** For a while after a stop, the deletion may be refused with 409. */
  const needsStop = (operations[operation('create')] as Operation).undo?.includes('stop') === true
  const deletion = (phase: number, thing = 'main', name = 'delete', more: Partial<Step> = {}): Step =>
    onThing(name, phase, operation('delete'), thing, `deletes the ${resource} again`, {
      ...(needsStop && name === 'delete'
        ? { settled: { withinSeconds: 120, shows: ({ response }: Exchange) => response.status !== 409 } }
        : {}),
      deletes: { resource, step: creation(thing) },
      ...more,
    })
  /** Waits until what was created is in one of these states, or gone. */
  const reach = (name: string, phase: number, states: readonly string[], seconds: number, from: readonly string[]) =>
    get(phase, name, 'main', `waits until the ${resource} is ${states.join(' or ')}`, {
      from: [creation('main'), ...from],
      settled: {
        withinSeconds: seconds,
        shows: came => !isSuccess(came) || states.includes(String(findObject(came.json, resource)?.state)),
      },
    })

  return {
    list,
    get,
    create,
    deletion,
    /** Has something done to what was created: an operation beside update and deletion, such as `service.state`. */
    act: (name: string, phase: number, id: OperationId, content: object, why: string, more: Partial<Step> = {}) =>
      onThing(name, phase, id, 'main', why, more, content),
    /** Waits until what was created can be used. */
    ready: (phase: number, states: readonly string[]) =>
      reach('ready', phase, states, lagOf(operation('create')), [creation('main')]),
    reach,
    /**
     * Operations that only the vendor's document has, without credentials and with a wrong secret (§5). Reading ones go while
     * everything is there, at `phase`; writing ones last, and at what the run keeps until its end.
     */
    probes: (phase: number): Step[] => {
      const kept = life.alone ? 'main' : 'spare'
      const update = updateOf(resource)
      return (['none', 'wrongSecret'] as const).flatMap(as => {
        const named = (verb: string) => [`${verb} as ${as}`, `${sayAs[as]} on ${resource}.${verb}`] as const
        const [verb = ''] = update?.split('.').slice(1) ?? []
        const steps = [
          list(phase, ...named('list'), { as }),
          get(phase, named('get')[0], kept, named('get')[1], { as }),
          create(`probe ${as}`, 28, named('create')[1], named('create')[0], { as }),
          ...(update ? [onThing(named(verb)[0], 28, update, kept, named(verb)[1], { as })] : []),
          deletion(29, kept, named('delete')[0], { as, why: named('delete')[1] }),
        ]
        return steps.filter(({ operation: id }) => operations[id!].basis === 'documented')
      })
    },
    /** The list before the run creates anything. */
    listBefore: (phase = 0) =>
      list(phase, 'list-before', `lists ${resource}s, to tell them from what the run creates`, {}),
    /** The list and the gets of what was created, before anything is done to it. */
    reads: (phase: number): Step[] => [
      list(phase, 'list', `lists ${resource}s`, {
        from: [creation('main'), creation('spare')],
        ...settled(operation('create'), (came, past) =>
          ['main', 'spare'].every(thing => !past.created(creation(thing)) || lists(came, past, thing)),
        ),
      }),
      get(phase + 1, 'get', 'main', `gets the ${resource}`, settled(operation('create'), isSuccess)),
      ...sibling(
        get(phase + 1, 'get-spare', 'spare', `gets another ${resource}, before anything is done to its sibling`),
      ),
    ],
    /** The update, by PATCH too where the method is open and PUT does not succeed; then what came of it. */
    updates(phase: number): Step[] {
      const update = updateOf(resource)
      if (!update) return []
      const name = update.split('.')[1]!
      const after = { from: [stepName(name), stepName('update-by-patch'), creation('main')] }
      const isOpen = `${resource}/update-method` in gaps
      const isNamed = (came: Exchange, past: Past) => JSON.stringify(came.json ?? null).includes(updateMark(past.run))
      const first = onThing(name, phase, update, 'main', `updates the ${resource} by ${operations[update].method}`)
      return [
        first,
        ...(isOpen
          ? [
              {
                ...first,
                name: stepName('update-by-patch'),
                phase: phase + 1,
                method: 'PATCH',
                why: `updates the ${resource} by PATCH, since PUT did not succeed`,
                from: [stepName(name), creation('main')],
                draft: (past: Past) => {
                  const put = past.exchange(stepName(name))
                  if (!put || put.response.status < 300) return skip('PUT succeeded')
                  const draft = first.draft(past)
                  return 'path' in draft ? { ...draft, body: nameOnly(draft.body as object) } : draft
                },
              },
            ]
          : []),
        get(phase + 2, 'get-after-update', 'main', `gets the ${resource} after its update`, {
          ...after,
          ...settled(update, isNamed),
        }),
        list(phase + 2, 'list-after-update', `lists ${resource}s after the update of one`, {
          ...after,
          ...settled(update, isNamed),
        }),
      ]
    },
    /** The deletion, and what is there after it. */
    deletions(phase: number): Step[] {
      const after = { from: [stepName('delete'), creation('main')] }
      const update = updateOf(resource)
      return [
        deletion(phase),
        get(phase + 1, 'get-after-delete', 'main', `gets the ${resource} that was deleted`, {
          ...after,
          ...settled(operation('delete'), came => !isSuccess(came)),
        }),
        list(phase + 1, 'list-after-delete', `lists ${resource}s without the deleted one`, {
          ...after,
          ...settled(operation('delete'), (came, past) => !lists(came, past, 'main')),
        }),
        ...sibling(
          get(phase + 1, 'get-spare-after-delete', 'spare', `gets the other ${resource}, whose sibling was deleted`, {
            from: [stepName('delete'), creation('spare')],
          }),
        ),
        ...(update
          ? [
              onThing(
                'update-after-delete',
                phase + 1,
                update,
                'main',
                `updates the ${resource} that was deleted`,
                after,
              ),
            ]
          : []),
        onThing(
          'delete-after-delete',
          phase + 2,
          operation('delete'),
          'main',
          `deletes the ${resource} that was deleted`,
          after,
        ),
      ]
    },
  }
}

/** The whole life cycle of a resource in its usual phases; children of an object that the run creates start after it. */
export function lifeSteps(life: Life): readonly Step[] {
  const { alone, ready, later = life.within ? 10 : 0 } = life
  const of = stepsOfLife(life)
  return [
    of.listBefore(later),
    of.create('main', 1 + later),
    ...(alone ? [] : [of.create('spare', 2 + later)]),
    ...(ready ? [of.ready(3 + later, ready)] : []),
    ...of.reads(7 + later),
    ...of.updates(10 + later),
    ...of.deletions(13 + later),
    ...of.probes(9 + later),
  ].filter(step => pathIn(step, life))
}

/** A form may lack some of the operations. */
const pathIn = ({ operation }: Step, { form }: Life) =>
  operation === undefined || operations[operation].paths[form] !== undefined
