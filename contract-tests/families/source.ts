import { listIn } from '../engine/pages.ts'
import { lifeOf } from '../visits/life.ts'
import { skip, visit } from '../visits/visit.ts'

/** The life of sources, in both forms of the observability API: of tables that another source of logs reads already. */
export const steps = (['managed', 'selfHosted'] as const).flatMap(
  form =>
    visit(form, 'source', run => {
      const listed = `${form}:source.list-before`
      lifeOf(run, 'source', {
        body: (past, name) => {
          const all = listIn(past.exchange(listed), 'source') ?? []
          const { kind, connection, from, timestampValueExpression, defaultTableSelectExpression } =
            all.find(one => one.kind === 'log') ?? {}
          return connection === undefined
            ? undefined
            : { name, kind, connection, from, timestampValueExpression, defaultTableSelectExpression }
        },
        from: () => [listed],
        noBody: () => skip('no source of logs is listed, whose table another could read'),
      }).live()
    }).steps,
)
