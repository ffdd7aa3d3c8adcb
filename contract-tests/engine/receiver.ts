import { isObject, type Json } from './recognise.ts'
import { isMock, pathInWorld } from './target/own-mock.ts'
import type { TargetFile } from './target/target.ts'

/** Where a run reads what webhooks were sent: from its own receiver, which its client opens, or from the journal of a mock. */

/** The scheme of addresses that a client answers itself, with what arrived at the receiver that listens there. */
export const receiverScheme = 'receiver://'

export interface ReceiverPlace {
  readonly baseUrl: string
  readonly path: string
}

export function receiverOf(target: TargetFile): ReceiverPlace | undefined {
  const { receiver, control } = target
  if (receiver) return { baseUrl: `${receiverScheme}${receiver.listen}`, path: '/received' }
  return control && isMock(target)
    ? { baseUrl: control.baseUrl, path: pathInWorld('/control/calls?form=webhook&limit=200', target) }
    : undefined
}

/** What a webhook was sent. */
export interface Notification {
  /** By name in lower case. */
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
}

/** The notifications of an answer of a receiver, the oldest first; undefined if it is none. */
export function notificationsIn(json: unknown): readonly Notification[] | undefined {
  if (!Array.isArray(json)) return undefined
  return json
    .flatMap((entry: Json) => (isObject(entry) && isObject(entry.request) ? readRequest(entry.request) : []))
    .reverse()
}

const readRequest = ({ headers, body }: { readonly [name: string]: Json }): readonly Notification[] =>
  typeof body !== 'string'
    ? []
    : [
        {
          headers: Object.fromEntries(
            Object.entries(isObject(headers) ? headers : {}).map(([name, value]) => [
              name.toLowerCase(),
              String(value),
            ]),
          ),
          body,
        },
      ]
