import { gaps, type Operation, type OperationId, operations } from '../../fixtures/contract/index.ts'
import { type Exchange, isSuccess } from '../engine/exchange.ts'
import { updateMark } from '../engine/mark.ts'
import { listIn } from '../engine/pages.ts'
import { findObject, idOf, sameId } from '../engine/recognise.ts'
import type { Draft, Past, Step } from '../engine/step.ts'
import { probesOn } from './authentication.ts'
import { type Life, nameOf, skip, updatedNameOf, updateOf } from './life.ts'
import { at as pathAt, stepMaker } from './make-step.ts'

/** What a PATCH sends: the name alone, so that the answer shows whether the other fields stay. */
const nameOnly = (body: object): object => ('name' in body ? { name: body.name } : body)

/** For so many seconds after a stop, a deletion may be refused with 409. */
const REFUSED = 120

/** The steps of one life, to be put into phases. */
export function stepsOfLife(life: Life) {
  const { form, resource, within = {}, alone } = life
  const operation = (verb: string) => `${resource}.${verb}` as OperationId
  const update = updateOf(resource)
  const stepName = (name: string) => `${form}:${resource}.${name}`
  const creation = (thing: string) => stepName(`create-${thing}`)
  const parents = Object.values(within)

  const step = (
    name: string,
    phase: number,
    id: OperationId,
    why: string,
    draft: Step['draft'],
    more: Partial<Step>,
  ): Step => {
    const { method } = operations[id]
    const from = [...parents, ...(more.from ?? [])]
    return stepMaker(form)(`${resource}.${name}`, phase, why, draft, { method, operation: id, ...more, from })
  }
  /** The path of an operation, or why it is not known. */
  const at = (past: Past, id: OperationId, value?: string): Draft => {
    const ids = Object.fromEntries(Object.entries(within).map(([name, parent]) => [name, past.created(parent)]))
    const draft = pathAt(past, form, id, {
      ...ids,
      ...(value !== undefined && { id: value, [`${resource}Id`]: value }),
    })
    const parent = parents.find(one => past.created(one) === undefined)
    return parent && 'skip' in draft ? skip(`${parent} created nothing that it could lie within`) : draft
  }
  const withBody = (draft: Draft, body: object | undefined, past: Past, thing: string): Draft => {
    if ('skip' in draft) return draft
    return body ? { ...draft, body } : (life.noBody?.(past, thing) ?? skip('its body cannot be made'))
  }
  /** Reads are repeated for as long as the contract lets them lag behind these writes. */
  const settled = (verb: string, after: readonly string[], shows: NonNullable<Step['settled']>['shows']) => ({
    settled: { after, withinSeconds: operations[operation(verb)].lagInSeconds ?? 0, shows },
  })
  const lists = (came: Exchange, past: Past, thing: string): boolean => {
    const id = past.created(creation(thing))
    return id !== undefined && !!listIn(came, resource)?.some(item => sameId(idOf(item, resource) ?? '', id))
  }

  const list = (phase: number, name = 'list', why = `lists ${resource}s`, more: Partial<Step> = {}): Step =>
    step(name, phase, operation('list'), why, past => at(past, operation('list')), more)
  const create = (thing: string, phase: number, why = `creates a ${resource}`): Step => {
    const draft = (past: Past) =>
      withBody(at(past, operation('create')), life.body(past, nameOf(past, resource, thing), thing), past, thing)
    const more = { creates: resource, from: life.from?.(thing) }
    return step(`create-${thing}`, phase, operation('create'), why, draft, more)
  }
  /** An operation on something that was created. */
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
    const draft = (past: Past): Draft => {
      const known = () => life.known?.(past) ?? idOf(listIn(past.exchange(stepName('list')), resource)?.[0], resource)
      // What somebody else made is only got.
      const value = past.created(creation(thing)) ?? (name === 'get' ? known() : undefined)
      if (!value) return skip(method === 'GET' ? `no ${resource} is known` : `no ${resource} of this run is known`)
      const path = at(past, id, value)
      if (id !== update) return content && 'path' in path ? { ...path, body: content } : path
      const draft = withBody(path, changeOf(past, thing), past, thing)
      const byPatch = past.exchange(stepName('update-by-patch'))
      return byPatch && isSuccess(byPatch) ? asPatch(draft) : draft
    }
    const from = [creation(thing), stepName('list')]
    return step(name, phase, id, why, draft, { on: creation(thing), from, ...more })
  }
  const changeOf = (past: Past, thing: string): object | undefined => {
    const change = (life.change ?? life.body)(past, updatedNameOf(past, resource, thing), thing)
    return change && !life.change && operations[update!].method === 'PATCH' ? nameOnly(change) : change
  }
  const asPatch = (draft: Draft): Draft =>
    'path' in draft ? { ...draft, method: 'PATCH', body: nameOnly(draft.body as object) } : draft
  const get = (phase: number, name = 'get', thing = 'main', why = `gets the ${resource}`, more: Partial<Step> = {}) =>
    onThing(name, phase, operation('get'), thing, why, more)
  const ofSpare = (phase: number, name: string, why: string, more: Partial<Step> = {}): readonly Step[] =>
    alone ? [] : [get(phase, name, 'spare', why, more)]
  const deletion = (phase: number, thing = 'main', name = 'delete', more: Partial<Step> = {}): Step =>
    onThing(name, phase, operation('delete'), thing, `deletes the ${resource} again`, {
      deletes: { resource, step: creation(thing) },
      ...more,
    })
  /** Waits until what was created is in one of these states, or gone. */
  const reach = (name: string, phase: number, states: readonly string[], seconds: number, after: readonly string[]) =>
    get(phase, name, 'main', `waits until the ${resource} is ${states.join(' or ')}`, {
      from: [creation('main'), ...after],
      settled: {
        after: [creation('main'), ...after],
        withinSeconds: seconds,
        shows: came => !isSuccess(came) || states.includes(String(findObject(came.json, resource)?.state)),
      },
    })

  return {
    get,
    create,
    deletion,
    reach,
    /** Has something done to what was created: an operation beside update and deletion, such as `service.state`. */
    act: (name: string, phase: number, id: OperationId, content: object, why: string, more: Partial<Step> = {}) =>
      onThing(name, phase, id, 'main', why, more, content),
    /** Waits until what was created can be used. */
    ready: (phase: number, states: readonly string[]) =>
      reach('ready', phase, states, operations[operation('create')].lagInSeconds ?? 0, []),
    /** The probes of §5. Reading ones go while everything is there, at `phase`; writing ones last, and at what the run keeps until its end. */
    probes(phase: number): readonly Step[] {
      const kept = alone ? 'main' : 'spare'
      return [
        ...probesOn(form, operation('list'), () => list(phase)),
        ...probesOn(form, operation('get'), () => get(phase, 'get', kept)),
        ...probesOn(form, operation('create'), as => create(`probe ${as}`, 28)),
        ...(update ? probesOn(form, update, () => onThing('update', 28, update, kept, '')) : []),
        ...probesOn(form, operation('delete'), () => deletion(29, kept)),
      ]
    },
    /** The list before the run creates anything. */
    listBefore: (phase = 0) => list(phase, 'list-before', `lists ${resource}s, to tell them from what the run creates`),
    /** The list and the gets of what was created, before anything is done to it. */
    reads(phase: number): readonly Step[] {
      const [main, spare] = [creation('main'), creation('spare')]
      const areListed = (came: Exchange, past: Past) =>
        ['main', 'spare'].every(thing => !past.created(creation(thing)) || lists(came, past, thing))
      return [
        list(phase, 'list', undefined, { from: [main, spare], ...settled('create', [main], areListed) }),
        get(phase + 1, 'get', 'main', undefined, settled('create', [main], isSuccess)),
        ...ofSpare(phase + 1, 'get-spare', `gets another ${resource}, before anything is done to its sibling`),
      ]
    },
    /** The update, by PATCH too where the method is open and PUT does not succeed; then what came of it. */
    updates(phase: number): readonly Step[] {
      if (!update) return []
      const [, verb = ''] = update.split('.')
      const written = [stepName(verb), stepName('update-by-patch')]
      const isNamed = (came: Exchange, past: Past) => JSON.stringify(came.json ?? null).includes(updateMark(past.run))
      const after = { from: [...written, creation('main')], ...settled(verb, written, isNamed) }
      const first = onThing(verb, phase, update, 'main', `updates the ${resource} by ${operations[update].method}`)
      const byPatch: Step = {
        ...first,
        name: stepName('update-by-patch'),
        phase: phase + 1,
        method: 'PATCH',
        why: `updates the ${resource} by PATCH, since PUT did not succeed`,
        from: [stepName(verb), creation('main')],
        draft: past => {
          const put = past.exchange(stepName(verb))
          return !put || put.response.status < 300 ? skip('PUT succeeded') : asPatch(first.draft(past))
        },
      }
      return [
        first,
        ...(`${resource}/update-method` in gaps ? [byPatch] : []),
        get(phase + 2, 'get-after-update', 'main', `gets the ${resource} after its update`, after),
        list(phase + 2, 'list-after-update', `lists ${resource}s after the update of one`, after),
      ]
    },
    /** The deletion, and what is there after it. */
    deletions(phase: number): readonly Step[] {
      const deleted = stepName('delete')
      const after = { from: [deleted, creation('main')] }
      const isTaken = ({ response }: Exchange) => response.status !== 409
      const needsStop = (operations[operation('create')] as Operation).undo?.includes('stop')
      const stopping = { settled: { after: [creation('main')], withinSeconds: REFUSED, shows: isTaken } }
      const onDeleted = (name: string, late: number, id: OperationId, does: string) =>
        onThing(name, phase + late, id, 'main', `${does} the ${resource} that was deleted`, after)
      return [
        deletion(phase, 'main', 'delete', needsStop ? stopping : {}),
        {
          ...onDeleted('get-after-delete', 1, operation('get'), 'gets'),
          ...settled('delete', [deleted], came => !isSuccess(came)),
        },
        list(phase + 1, 'list-after-delete', `lists ${resource}s without the deleted one`, {
          ...after,
          ...settled('delete', [deleted], (came, past) => !lists(came, past, 'main')),
        }),
        ...ofSpare(phase + 1, 'get-spare-after-delete', `gets the other ${resource}, whose sibling was deleted`, {
          from: [deleted, creation('spare')],
        }),
        // Last: an update may make it again.
        ...(update ? [onDeleted('update-after-delete', 2, update, 'updates')] : []),
        onDeleted('delete-after-delete', 2, operation('delete'), 'deletes'),
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
