import type { Field, OperationId, ResourceId } from '../../../fixtures/built-contract/index.ts'
import type { Change, Location } from '../../run/document/change.ts'
import type { ChangedOperation } from '../../run/usage/judge-use.ts'
import type { DocumentedMock, Sent } from './open-documented.ts'
import { nothing, stepsOf, valuesAt, type Wish, writeBody } from './write-body.ts'

/** A difference of two documents, in one of the operations that have it. */
export interface LocatedChange {
  readonly change: Change
  readonly operation: ChangedOperation
}

/** Mocks of the older and of the newer document, with the same world. */
export interface Mocks {
  readonly was: DocumentedMock
  readonly is: DocumentedMock
}

/** Makes a judge of whether calls on both mocks, made from a difference, show it. Answers are kept for later ones. */
export function createShow({ was, is }: Mocks, wishes: Pick<Wish, 'values' | 'companions'>) {
  const sides = [was, is]
  const seen = new Map(sides.map(mock => [mock, new Map<string, unknown[]>()]))
  const keep = (mock: DocumentedMock, id: string, sent: readonly Sent[]) => {
    const all = seen.get(mock)!
    all.set(id, [...(all.get(id) ?? []), ...sent.filter(isAccepted).map(({ json }) => json)])
  }
  const call = async (id: string, request?: Parameters<DocumentedMock['call']>[1]) => {
    const all: (readonly Sent[])[] = []
    for (const mock of sides) {
      const sent = id in mock.contract.operations ? await mock.call(id, request) : []
      keep(mock, id, sent)
      all.push(sent)
    }
    return all as [readonly Sent[], readonly Sent[]]
  }
  const shapeOf = (mock: DocumentedMock, resource: string | undefined) =>
    mock.contract.resources[resource as ResourceId]

  /** One mock refuses the request for this place, and the other does not; or only the newer answers with what was sent. */
  async function showRequest({ change, operation: { id } }: LocatedChange): Promise<boolean> {
    const at = change.at!
    const isAdditive = change.kind === 'additive'
    for (const side of isAdditive ? [is, was] : [was, is]) {
      const shape = shapeOf(side, side.contract.operations[id as OperationId]?.body)
      if (!shape) continue
      for (const leaf of leavesOf(change)) {
        const { body, selected } = writeBody(shape, { ...wishes, at, leaf })
        const [before, after] = await call(id, { body })
        const [accepting, refusing] = isAdditive === (leaf !== wrong) ? [after, before] : [before, after]
        const isRefused = refusing.some(one => isFor(one, [at.path, ...selected])) && !refusing.some(isAccepted)
        if (isRefused && accepting.length > 0 && !accepting.some(one => isFor(one, [at.path]))) return true
        const has = (sent: readonly Sent[]) =>
          sent.some(one => isAccepted(one) && valuesAt(one.json?.result, at).length > 0)
        if (change.what === 'new' && before.some(isAccepted) && has(after) && !has(before)) return true
      }
    }
    return false
  }

  /** An answer of the newer mock has what the older one has not, read or arranged through the control plane. */
  async function showAnswer({ change, operation: { id } }: LocatedChange): Promise<boolean> {
    const [own = ''] = id.split('.')
    const read = is.contract.operations[id as OperationId].method === 'GET' ? id : `${own}.get`
    const look = async () => {
      if (read in is.contract.operations) await call(read)
      const [before, after] = sides.map(mock =>
        [...new Set([id, read])]
          .flatMap(one => seen.get(mock)!.get(one) ?? [])
          .flatMap(one => valuesAt(one, change.at!)),
      )
      return isShown(change, before!, after!)
    }
    if (await look()) return true
    const { resource } = is.contract.operations[id as OperationId].result
    const shape = shapeOf(is, resource)
    const below = (path: string) => path.replace(/^\$\.result(?:\[\])?/, '$')
    const at: Location = {
      path: below(change.at!.path),
      conditions: change.at!.conditions.map(one => ({ ...one, paths: one.paths.map(below) })),
    }
    const [name] = stepsOf(at.path)
    if (!shape || name === undefined || at.path === change.at!.path) return false
    for (const leaf of change.what === 'alternatives-new' ? [] : leavesOf(change)) {
      const { [name]: value } = writeBody(shape, { ...wishes, at, leaf, isAnswer: true }).body
      const models = [own, own.replace(/[A-Z].*$/, ''), String(resource)]
      const [before, after] = sides.map(mock => models.some(model => mock.arrange(model, { [name]: value })))
      if ((after && !before) || (await look())) return true
    }
    return false
  }

  /** Only the newer mock takes the parameter: the older refuses it, or ignores it. */
  async function showParameter({ change, operation: { id } }: LocatedChange): Promise<boolean> {
    const [before, after] = await call(id, { query: `${change.at!.path.replace(/^query\./, '')}=1` })
    const [all] = await is.call(id)
    const count = ({ json }: Sent) => json?.result?.length ?? 0
    const isTaken = /cursor/.test(after[0]?.json?.error) || (after.some(isAccepted) && count(after[0]!) <= count(all!))
    return isTaken && (before.some(({ status }) => status === 400) || count(after[0]!) < count(all!))
  }

  /** Only the newer mock has the operation. */
  async function showOperation({ operation: { id } }: LocatedChange): Promise<boolean> {
    const sent = await is.call(id)
    const isServed = sent.length > 0 && sent.every(({ status }) => status !== 404 && status !== 405)
    return isServed && !(id in was.contract.operations)
  }

  const bySide = { request: showRequest, answer: showAnswer, parameter: showParameter, operation: showOperation }
  return (one: LocatedChange) => bySide[one.change.side as keyof typeof bySide](one)
}

const isAccepted = ({ status }: Sent) => status < 300

/** A value of another type. */
const wrong = ({ type }: Field) => (type === 'string' || type === 'boolean' ? {} : 'x')

/** Values that one of the documents allows at the place, and the other does not. */
function leavesOf({ what, was, is, at }: Change): readonly Wish['leaf'][] {
  const each = (all: unknown) =>
    (all as readonly string[]).map(
      (value): Wish['leaf'] =>
        ({ type }) =>
          type === 'number' ? Number(value) : value,
    )
  const name = at!.path.replace(/^.*\./, '')
  switch (what) {
    case 'new':
    case 'gone':
      return [(field, example) => example(field, name), wrong]
    case 'required':
    case 'optional':
      return [() => nothing]
    case 'null':
      return [() => null]
    case 'values-new':
      return each(is)
    case 'values-gone':
      return each(was)
    case 'values-open':
      return [() => 'another', ({ values = [] }) => values.find(one => !(was as readonly string[]).includes(one))]
    case 'alternatives-new':
      return Array.from({ length: 16 }, (_, at): Wish['leaf'] => ({ oneOf, ...field }, example) => {
        const variants = Object.fromEntries(Object.entries(oneOf?.variants ?? {}).slice(at, at + 1))
        return example({ ...field, ...(oneOf && { oneOf: { ...oneOf, variants } }) }, '')
      })
    case 'maximum':
      return [() => Math.max(was as number, is as number)]
    case 'minimum':
      return [() => Math.min(was as number, is as number)]
    case 'maxLength':
      return [() => 'x'.repeat((is as number) + 1)]
    default:
      return []
  }
}

/** Whether a refusal is for one of these places. */
const isFor = ({ status, json }: Sent, places: readonly string[]) =>
  status === 400 &&
  places.some(place => {
    const steps = stepsOf(place)
    const name = steps.findLast(step => !/^(?:\[\]|\*)$/.test(step))
    const path = steps.map(step => (step === '[]' ? '\\.\\d+' : step === '*' ? '\\.\\w+' : `\\.${step}`)).join('')
    return new RegExp(`request body${path}:|validated: ${name}\\b|Unrecognized.* '${name}'`).test(json?.error)
  })

function isShown({ what, was, is }: Change, before: readonly unknown[], after: readonly unknown[]): boolean {
  switch (what) {
    case 'new':
      return after.length > 0 && before.length === 0
    case 'values-new':
      return (
        after.some(one => (is as readonly unknown[]).includes(one)) &&
        !before.some(one => (is as readonly unknown[]).includes(one))
      )
    case 'values-open':
      return after.includes('another') && !before.includes('another')
    case 'maximum':
      return (
        after.some(one => (one as number) > (was as number)) && !before.some(one => (one as number) > (was as number))
      )
    case 'type':
      return is === 'array' && after.every(Array.isArray) && before.length > 0 && !before.some(Array.isArray)
    default:
      return false
  }
}
