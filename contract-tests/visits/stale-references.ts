import type { Exchange } from '../engine/exchange.ts'
import { isReadToEnd, listIn } from '../engine/pages.ts'
import { idOf, type JsonObject, sameId } from '../engine/recognise.ts'
import type { Step } from '../engine/step.ts'
import type { References, TargetFile } from '../engine/target/target.ts'

/** Looks up the ids of a target file in the lists of the run, since a deployment may refuse outdated ids. */

type Resource = 'dashboard' | 'source' | 'webhook'

/** Whether `checkReferences` reads the answer to a step. */
export const listsReferences = ({ name }: Step): boolean =>
  /:(?:dashboard|source|webhook)\.list(?:-before)?$/.test(name)

/** Returns the target without references that are not listed, and a sentence for each of them. */
export function checkReferences(target: TargetFile, exchange: (step: string) => Exchange | undefined) {
  let checked = target
  const sentences: string[] = []
  for (const [part, form] of [
    ['cloud', 'managed'],
    ['selfHosted', 'selfHosted'],
  ] as const) {
    const references = target[part]?.references
    if (!references) continue
    const listOf = (resource: Resource) => {
      const steps = [`${resource}.list-before`, `${resource}.list`]
      return steps.map(step => exchange(`${form}:${step}`)).find(answer => answer && isComplete(answer, resource))
    }
    const result = checkPart(`${part}.references`, references, listOf)
    sentences.push(...result.sentences)
    checked = { ...checked, [part]: { ...checked[part], references: result.references } }
  }
  return { target: checked, sentences }
}

function checkPart(place: string, references: References, listOf: (resource: Resource) => Exchange | undefined) {
  const keptReferences: Record<string, unknown> = { ...references }
  const sentences: string[] = []
  /** null if no item of the list has the id; undefined without an id or a complete list. */
  const find = (resource: Resource, id: string | undefined): JsonObject | null | undefined => {
    const list = id ? listOf(resource) : undefined
    return list && (listIn(list, resource)!.find(item => hasId(item, id!)) ?? null)
  }
  const addSentence = (field: string, resource: Resource, id: string) => {
    const list = listOf(resource)!
    sentences.push(describeStaleReference(`${place}.${field}`, id, list.request.path, listIn(list, resource)!))
  }
  for (const resource of ['webhook', 'source', 'dashboard'] as const) {
    const field = `${resource}Id` as const
    if (find(resource, references[field]) !== null) continue
    addSentence(field, resource, references[field]!)
    delete keptReferences[field]
  }
  const sources = Object.entries(references.sources ?? {})
  for (const [kind, id] of sources) if (find('source', id) === null) addSentence(`sources.${kind}`, 'source', id)
  if (references.sources)
    keptReferences.sources = Object.fromEntries(sources.filter(([, id]) => find('source', id) !== null))
  const { tileId, dashboardId } = references
  const dashboard = find('dashboard', dashboardId)
  const tiles = dashboard?.tiles
  const isTileGone =
    Array.isArray(tiles) && tiles.every(tile => idOf(tile, 'tile')) && !tiles.some(tile => hasId(tile, tileId!))
  if (tileId && dashboard && isTileGone)
    sentences.push(
      `\`${place}.tileId\` names ${JSON.stringify(tileId)}, and the dashboard ${JSON.stringify(dashboardId)} has no such tile: another that is listed is taken instead.`,
    )
  if (dashboard === null || (tileId && isTileGone)) delete keptReferences.tileId
  return { references: keptReferences as References, sentences }
}

export const describeStaleReference = (field: string, id: string, path: string, listed: readonly unknown[]): string =>
  `\`${field}\` names ${JSON.stringify(id)}, which GET ${path} does not list: ${listed.length > 0 ? 'another that is listed is taken instead' : 'none is listed'}.`

/** True for a list that was read to its end and shows the id of each item. */
const isComplete = (answer: Exchange, resource: Resource) =>
  isReadToEnd(answer, resource) && listIn(answer, resource)!.every(item => idOf(item, resource))

const hasId = (item: object, id: string) =>
  Object.values(item).some(value => typeof value === 'string' && sameId(value, id))
