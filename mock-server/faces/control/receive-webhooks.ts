import type Router from '@koa/router'
import type { RouterContext } from '@koa/router'
import { readBody } from '../read-body.ts'
import { answer, Declined } from './answer.ts'

/** A call that came to the receiver. */
export interface Received {
  /** The name at the end of the address that was called. */
  readonly name: string
  /** When it came, by the clock of the machine. */
  readonly at: string
  readonly headers: Readonly<Record<string, string | string[] | undefined>>
  readonly body: string
}

/** Where the receiver listens, on the console port; whoever posts there needs no token. */
export const receiver = '/control/received'

const mostKept = 100
const mostOfBody = 64 * 1024
const isName = /^[\w.-]{1,100}$/

/** Adds a receiver for webhooks, which keeps what comes: an alert can be seen to arrive without a server of one's own. */
export function addReceiver(router: Router): void {
  let kept: readonly Received[] = []
  const take = async (ctx: RouterContext) => {
    const name = ctx.params.name!
    if (!isName.test(name))
      throw new Declined(400, 'The name of a receiver is 1 to 100 letters, digits, dots and hyphens.')
    const read = await readBody(ctx.req, mostOfBody)
    if (!read || read.unread) throw new Declined(413, 'The receiver takes UTF-8 of at most 64 KiB.')
    const { authorization: _, cookie: __, ...headers } = ctx.headers
    kept = [{ name, at: new Date().toISOString(), headers, body: read.body }, ...kept].slice(0, mostKept)
  }
  const forget = () => {
    kept = []
  }
  router.post(`${receiver}/:name`, answer(take))
  router.get(
    receiver,
    answer(() => kept),
  )
  router.delete(receiver, answer(forget))
}
