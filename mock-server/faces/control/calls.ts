import type Router from '@koa/router'
import type { RouterContext } from '@koa/router'
import type { Contract } from '../../../fixtures/built-contract/index.ts'
import { clients } from '../../core/journal/filter.ts'
import type { CallFilter, MockWorld, TargetFile } from '../../mock/mock.ts'
import { adviseNearest } from '../../words/nearest.ts'
import { ControlRefusal } from './answer.ts'
import { writeHar } from './har.ts'
import { readCount } from './read-request.ts'

/** The journal of a world, or of a proxy. */
type CallJournal = Pick<MockWorld, 'calls' | 'forgetCalls'>

/** Adds the addresses of the journal; `answerFor` finds the journal of a request. */
export function addCalls<Journal extends CallJournal>(
  router: Router,
  answerFor: (read: (journal: Journal, ctx: RouterContext) => unknown) => (ctx: RouterContext) => Promise<void>,
  {
    contract,
    targetFor,
    version,
    settleDeliveries,
  }: {
    readonly contract: Contract
    /** Waits for deliveries under way. */
    readonly settleDeliveries?: () => Promise<unknown>
    readonly targetFor: (journal: Journal, ctx: RouterContext) => TargetFile
    readonly version?: string
  },
): void {
  router.get(
    '/control/calls',
    answerFor(async (journal, ctx) => {
      if (ctx.query.form === 'webhook') await settleDeliveries?.()
      const limit = readCount(ctx.query, 'limit', { defaultValue: 1000, min: 1 })
      const filter = readCallFilter(contract, ctx.query)
      // The page polls every second, mostly without news.
      const [newest] = journal.calls(1)
      ctx.set('etag', `"${newest ? `${newest.number}/${newest.at}/${newest.ms}` : 'none'}"`)
      ctx.status = 200
      if (!ctx.fresh) return journal.calls(limit, filter)
      ctx.status = 304
    }),
  )
  router.get(
    '/control/calls.har',
    answerFor((journal, ctx) => {
      const limit = readCount(ctx.query, 'limit', { defaultValue: Number.POSITIVE_INFINITY, min: 1 })
      ctx.attachment('calls.har')
      const calls = journal.calls(limit, { ...readCallFilter(contract, ctx.query), isWhole: true })
      return writeHar(calls, targetFor(journal, ctx), version)
    }),
  )
  router.delete(
    '/control/calls',
    answerFor(journal => journal.forgetCalls()),
  )
}

type Query = Readonly<Record<string, string | string[] | undefined>>

/** The readers of the fields of the query. For an invalid text, each returns a description of what is expected. */
const readers: Readonly<Record<keyof CallFilter, (text: string, contract: Contract) => { value: unknown } | string>> = {
  form: text => choose(['cloud', 'managed', 'selfHosted', 'sql', 'webhook'], text),
  operation: (text, { operations }) =>
    Object.hasOwn(operations, text)
      ? { value: text }
      : `the id of an operation; ${adviseNearest(text, Object.keys(operations))}`,
  status: readStatus,
  client: text => choose(clients, text),
  since: readTime,
  until: readTime,
  text: text => ({ value: text.trim() || undefined }),
}

const choose = (names: readonly string[], text: string) =>
  names.includes(text) ? { value: text } : `one of ${names.join(', ')}`

function readStatus(text: string) {
  if (/^[1-5]xx$/.test(text)) return { value: text }
  return /^(0|[1-5]\d\d)$/.test(text) ? { value: Number(text) } : 'a status such as 404, or 4xx'
}

function readTime(text: string) {
  const value = /^\d+$/.test(text) ? Number(text) : Date.parse(text)
  return Number.isNaN(value) ? 'an ISO 8601 time, or epoch milliseconds' : { value }
}

function readCallFilter(contract: Contract, { limit: _limit, world: _world, ...query }: Query): CallFilter {
  const read = Object.entries(query).map(([name, text = '']) => {
    if (!Object.hasOwn(readers, name)) {
      const names = [...Object.keys(readers), 'limit', 'world']
      throw new ControlRefusal(400, `"${name}" is not known: calls are filtered by ${names.join(', ')}.`)
    }
    const result = Array.isArray(text) ? 'given once' : readers[name as keyof CallFilter](text, contract)
    if (typeof result === 'string') throw new ControlRefusal(400, `"${name}" must be ${result}.`)
    return [name, result.value]
  })
  return Object.fromEntries(read)
}
