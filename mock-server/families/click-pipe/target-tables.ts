import { refused } from '../../words/refusal.ts'
import { mappingsOf } from './judge-pipe.ts'
import { isOfDatabase, type Pipe } from './kind.ts'

/** The tables that a pipe makes itself, and expects to be empty. */
function tablesOf(pipe: Pipe): readonly string[] {
  const { database, table, managedTable } = pipe.destination
  if (isOfDatabase(pipe)) return mappingsOf(pipe.source).map(({ targetTable }) => `${database}.${targetTable}`)
  return managedTable ? [`${database}.${table}`] : []
}

/** Refuses a pipe into a table that another one has filled. One that is being deleted holds its table no more. */
export function refuseFilledTables(pipe: Pipe, all: readonly Pipe[]): void {
  const others = all.filter(
    ({ id, state, isGoing }) => id !== pipe.id && !isGoing && state !== 'Provisioning' && state !== 'Setup',
  )
  const filled = new Set(others.flatMap(tablesOf))
  const table = tablesOf(pipe).find(one => filled.has(one))
  if (table !== undefined) throw refused(`Target table ${table} already exists and is not empty`)
}
