import type Router from '@koa/router'
import type { RouterContext } from '@koa/router'
import { readBody } from '../read-body.ts'
import { answer, ControlRefusal } from './answer.ts'

interface ReceivedWebhook {
  readonly name: string
  /** By the clock of the machine, not of a world. */
  readonly at: string
  readonly headers: Readonly<Record<string, string | string[] | undefined>>
  readonly body: string
}

/** The path of the receiver; posting to it needs no token. */
export const receiverPath = '/control/received'

const maxWebhooks = 100
const maxBytes = 64 * 1024

/** Adds a receiver that keeps webhooks, so that users see alerts arrive without a server of their own. */
export function addReceiver(router: Router): void {
  let received: readonly ReceivedWebhook[] = []
  const receive = async (ctx: RouterContext) => {
    const name = ctx.params.name!
    if (!/^[\w.-]{1,100}$/.test(name))
      throw new ControlRefusal(400, 'A receiver is named by 1 to 100 letters, digits, dots, hyphens and underscores.')
    const read = await readBody(ctx.req, maxBytes)
    if (!read || read.unread) throw new ControlRefusal(413, 'The receiver accepts UTF-8 of at most 64 KiB.')
    const { authorization: _authorization, cookie: _cookie, ...headers } = ctx.headers
    received = [{ name, at: new Date().toISOString(), headers, body: read.body }, ...received].slice(0, maxWebhooks)
  }
  const forget = () => {
    received = []
  }
  router.post(`${receiverPath}/:name`, answer(receive))
  router.get(
    receiverPath,
    answer(() => received),
  )
  router.delete(receiverPath, answer(forget))
}
