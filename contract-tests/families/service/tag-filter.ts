import type { Check, Finding } from '../../engine/check.ts'
import { isSuccess } from '../../engine/exchange.ts'
import { listIn } from '../../engine/pages.ts'
import { idOf, type JsonObject, objectsIn } from '../../engine/recognise.ts'
import type { RunContext } from '../../engine/step.ts'
import { queryOf, resultIn } from '../../rules/fields.ts'
import { describeAnswer, eachSuccess, observe } from '../../rules/steps.ts'
import { visit } from '../../visits/visit.ts'
import { lastDays } from '../organization/usage-cost.ts'

/** Filters by the tags of services, of services themselves and of what they cost: one that some have, and one that none has. */

const [whole, some, none, bare] = ['list', 'list-of-tag', 'list-of-no-tag', 'list-without-prefix'].map(
  name => `cloud:service.${name}`,
) as [string, string, string, string]
const costsOfNone = 'cloud:usageCost-of-no-tag'
const costs = ['cloud:usageCost.get', costsOfNone]

const nobodys = 'stack-parity=nobodys'

/** The first tag in the list. */
function tagIn(context: RunContext): string | undefined {
  const tags = (listIn(context.exchange(whole), 'service') ?? []).flatMap(one => objectsIn(one.tags))
  const [tag] = tags.filter(({ key, value }) => typeof key === 'string' && typeof value === 'string')
  return tag && `${tag.key}=${tag.value}`
}

export const { steps } = visit('cloud', 'tags of services', run => {
  const list = (line: string, why: string, filterOf: (context: RunContext) => string | undefined) =>
    run.call('service.list', {
      name: line.replace('cloud:', ''),
      why,
      from: [whole],
      // While the service of the run is there, which has a tag.
      before: ['cloud:service.get-before-stop'],
      query: context => {
        const filter = filterOf(context)
        return filter === undefined ? undefined : { filter }
      },
      skipReason: 'no list shows a service with a tag',
      notJudgedByOperation: true,
    })
  list(some, 'lists the services with a tag', context => {
    const tag = tagIn(context)
    return tag && `tag:${tag}`
  })
  list(none, 'lists the services with a tag that none has', () => `tag:${nobodys}`)
  list(bare, 'lists services by a filter without its prefix', () => nobodys)
  run.call('usageCost.get', {
    name: costsOfNone.replace('cloud:', ''),
    why: 'asks for the cost of services with a tag that none has',
    query: context => ({ ...lastDays(8)(context), filter: `tag:${nobodys}` }),
    notJudgedByOperation: true,
  })
})

const hasTag = ({ tags }: JsonObject, filter: string) =>
  objectsIn(tags).some(({ key, value }) => filter === `tag:${key}=${value}`)

export const checks = {
  'service/filter-selects': eachSuccess([some, none], (exchange, evidence): readonly Finding[] | undefined => {
    const filter = queryOf(exchange).get('filter')!
    const listed = listIn(exchange, 'service')
    const [all] = evidence.exchangesOf(whole)
    if (!listed) return undefined
    const stray = listed.find(one => !hasTag(one, filter))
    if (stray)
      return [{ path: '$.result', expected: `only services with ${filter}`, got: stray.tags ?? 'one without tags' }]
    const missing = listIn(all, 'service')?.find(
      one => hasTag(one, filter) && !listed.some(other => idOf(other, 'service') === idOf(one, 'service')),
    )
    return missing
      ? [{ path: '$.result', expected: `${idOf(missing, 'service')}, which has ${filter}`, got: 'a list without it' }]
      : []
  }),
  'usageCost/filter-selects': eachSuccess(costs, exchange => {
    if (!queryOf(exchange).has('filter')) return undefined
    const rows = objectsIn(resultIn(exchange)?.costs)
    const path = '$.result.costs'
    return rows.length === 0 ? [] : [{ path, expected: 'no row: no service has the tag', got: `${rows.length} rows` }]
  }),
  'service/filter-without-prefix': observe([bare, none, whole], ([first], evidence) => {
    const [filtered, all] = [first, ...evidence.exchangesOf(whole)].map(one => listIn(one, 'service')?.length)
    if (!isSuccess(first)) return describeAnswer(first)
    if (filtered === undefined || all === undefined || all === 0) return undefined
    return filtered === 0 ? 'read' : 'ignored'
  }),
} as const satisfies Record<string, Check>
