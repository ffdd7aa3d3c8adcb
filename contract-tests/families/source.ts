import { listIn } from '../engine/pages.ts'
import { lifeOf } from '../visits/life.ts'
import { skip, visit } from '../visits/visit.ts'

/** Sources in both observability forms, on the table of an existing log source. */
export const steps = (['managed', 'selfHosted'] as const).flatMap(
  form =>
    visit(form, 'source', run => {
      const listed = `${form}:source.list-before`
      lifeOf(run, 'source', {
        body: (context, name) => {
          const all = listIn(context.exchange(listed), 'source') ?? []
          const { kind, connection, from, timestampValueExpression, defaultTableSelectExpression } =
            all.find(one => one.kind === 'log') ?? {}
          return connection === undefined
            ? undefined
            : { name, kind, connection, from, timestampValueExpression, defaultTableSelectExpression }
        },
        from: () => [listed],
        whole: { omit: { filterSettings: 'it names columns of the table' } },
        skipWithoutBody: () => skip('no list shows a log source whose table another source could read'),
      }).live()
    }).steps,
)
