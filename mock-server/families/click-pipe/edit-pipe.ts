import { sources } from '../../../fixtures/contract/click-pipe/pipe.ts'
import { invalidAt } from '../../words/refusal.ts'
import { keep } from '../../world/record.ts'
import type { BodyOf } from '../family.ts'
import { judgeSource } from './judge-pipe.ts'
import { kindOf, kindsOf, type Pipe } from './kind.ts'
import { afterEdit, refuseUnlessPaused } from './life.ts'
import { type Body, fillMappings, withoutUser } from './make-pipe.ts'

type Change = BodyOf<'clickPipe.update'>

/** Applies a PATCH to a pipe; null counts as omitted. */
export function editPipe(
  pipe: Pipe,
  { name, source, destination, fieldMappings, settings }: Change,
  now: number,
): Pipe {
  const isSourceSent = source != null && kindsOf(source).length > 0
  const edited: Pipe = {
    ...pipe,
    ...(name != null && { name }),
    ...(destination?.columns && { destination: { ...pipe.destination, columns: destination.columns } }),
    ...(fieldMappings && { fieldMappings }),
    ...(settings && { settings: mergeSettings(pipe, settings) }),
    ...(isSourceSent && { source: editSource(pipe, source) }),
  }
  return isSourceSent ? afterEdit(edited, now) : edited
}

/** Omitted settings stay, and null removes one. */
export const mergeSettings = ({ settings }: Pick<Pipe, 'settings'>, sent: object): NonNullable<Pipe['settings']> =>
  Object.fromEntries(Object.entries({ ...settings, ...sent }).filter(([, value]) => value !== null))

type Mappings = readonly Readonly<Record<string, unknown>>[]

function editSource(pipe: Pipe, source: object): Pipe['source'] {
  const kind = kindOf(pipe)
  const found = kindsOf(source)
  if (found.some(one => one !== kind)) throw invalidAt(['source'], `Expected ${kind}, which the pipe has`, found)
  const before = pipe.source[kind] as {
    readonly authentication?: string
    readonly settings?: object
    readonly tableMappings?: Mappings
  }
  const sent = (source as Record<string, object>)[kind] as {
    readonly authentication?: string | null
    readonly serviceAccountKey?: object | null
    readonly tableMappingsToAdd?: Mappings
    readonly tableMappingsToRemove?: Mappings
  }
  const { tableMappingsToAdd: added = [], tableMappingsToRemove: removed = [] } = sent
  if (added.length > 0 || removed.length > 0) refuseUnlessPaused(pipe)
  const changes = keep(sent, sources[kind].fields) as { uri?: string; settings?: object }
  const changed = {
    ...before,
    ...changes,
    ...(changes.uri !== undefined && { uri: withoutUser(changes.uri) }),
    ...(before.settings && { settings: { ...before.settings, ...changes.settings } }),
    ...(before.tableMappings && {
      tableMappings: [
        ...before.tableMappings.filter(one => !removed.some(other => isSame(one, other))),
        ...fillMappings(kind, added),
      ],
    }),
  }
  // The record has no key. Clients send one only to change it or the authentication.
  const { authentication } = sent
  const keepsKey = authentication == null || authentication === before.authentication
  judgeSource({ [kind]: { ...changed, serviceAccountKey: keepsKey ? {} : sent.serviceAccountKey } } as Body['source'])
  return { [kind]: changed }
}

const isSame = (mapping: Mappings[number], named: Mappings[number]) =>
  ['sourceSchemaName', 'sourceTable', 'sourceDatabaseName', 'sourceCollection', 'targetTable'].every(
    name => named[name] == null || named[name] === mapping[name],
  )
