import { type clickPipe, sources } from '../../../fixtures/contract/click-pipe/pipe.ts'
import type { ValuesOf } from '../../../fixtures/contract/index.ts'
import type { Timed } from '../timed.ts'

export type Pipe = ValuesOf<typeof clickPipe.fields, 'answer'> &
  Timed & {
    /** Whether the initial load of a database is done; not answered. */
    readonly isLoaded?: boolean
    /** Whether it is being deleted; not answered. */
    readonly isGoing?: boolean
  }

export type Kind = keyof Pipe['source']

export const kinds = Object.keys(sources) as readonly Kind[]

/** The kinds that are databases, with the names that sentences call them by. */
export const databases: Readonly<Partial<Record<Kind, string>>> = {
  postgres: 'Postgres',
  mysql: 'MySQL',
  bigquery: 'BigQuery',
  mongodb: 'MongoDB',
}

/** The kinds that a source has: one, unless it is wrong. */
export const kindsOf = (source: object): readonly Kind[] =>
  kinds.filter(kind => (source as Readonly<Record<string, unknown>>)[kind] != null)

export const kindOf = ({ source }: Pick<Pipe, 'source'>): Kind => kindsOf(source)[0]!

export const isOfDatabase = (pipe: Pick<Pipe, 'source'>): boolean => kindOf(pipe) in databases

/** The replication mode of a database pipe; default for BigQuery: snapshot. */
export const modeOf = ({ source }: Pick<Pipe, 'source'>) =>
  source.bigquery
    ? (source.bigquery.settings?.replicationMode ?? 'snapshot')
    : (source.postgres ?? source.mysql ?? source.mongodb)?.settings?.replicationMode
