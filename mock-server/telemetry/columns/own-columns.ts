import { type ColumnType, columnsOfKind, type TelemetryKind } from '../query/columns-of-kind.ts'

/** A column that the tables of a kind do not have: another name of one of theirs, or one of its own. */
export type OwnColumn = { readonly like: string } | { readonly type: 'text' | 'float' }
/** What a column or a key of a map holds: what another column of the row does, or one of a few texts. */
type Content = { readonly like: string } | readonly string[]

/** The columns of one table beside those of its kind, and the keys that its maps must have. */
export interface OwnColumns {
  readonly columns: ReadonlyMap<string, OwnColumn>
  readonly contents: readonly { readonly column: string; readonly key?: string; readonly content: Content }[]
}

export const typeOfOwn = (own: OwnColumn, kind: TelemetryKind): ColumnType =>
  'like' in own ? columnsOfKind[kind][own.like]! : own.type
