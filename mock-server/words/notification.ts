import type { Edition } from '../../fixtures/contract/index.ts'
import type { MaybePromise } from './maybe-promise.ts'
import type { Webhook } from './resources.ts'

/** The values for the body of a webhook. Times are epoch milliseconds. */
export interface AlertEvent {
  readonly title: string
  readonly body: string
  readonly link: string
  readonly state: 'ALERT' | 'OK'
  readonly startTime: number
  readonly endTime: number
}

/** Somebody whom a message mentions: `@webhook-NAME` is `{ channel: 'webhook', id: 'NAME' }`. */
export interface Mention {
  readonly channel: string
  readonly id: string
}

/** Fills in a Handlebars template. With `onMention` it may contain what `translateMentions` makes of mentions. */
export type Fill = (template: string, values: object, onMention?: (mention: Mention) => void) => string

/** What an alert tells its channels about a group: that it fires, or that it has been resolved. */
export interface AlertNotification {
  readonly alertId: string
  readonly edition: Edition
  readonly group: string
  /** The time of the run of the task, and until when it has evaluated. */
  readonly at: number
  readonly until: number
  /** The receivers: the webhooks of its channels, without those that are gone. */
  readonly webhooks: readonly Webhook[]
  /** The webhooks that a message can mention, the oldest first. */
  readonly mentionable: () => readonly Webhook[]
  /** Forty hexadecimal digits that a webhook gets for all windows of a group, and for its resolution. */
  eventId(webhook: Webhook): string
  /** Forty hexadecimal digits for the header `Idempotency-Key`: others for each window, state and group. */
  idempotencyKey(webhook: Webhook): string
  /** Rows that the search of the alert finds in the window, as CSV; empty for other alerts. */
  readSamples(): MaybePromise<string>
  /** Writes title and text. Without `fill`, the templates in the name and message of the alert stay as they are. */
  renderEvent(fill?: Fill, samples?: string): AlertEvent & { readonly mentions: readonly Mention[] }
}

/** The error of an alert whose channel, or whose message, names a webhook that does not exist. */
export const lostWebhook = (id: string, edition: Edition) =>
  edition === '2.24'
    ? notSent
    : `Webhook not found. The webhook may have been deleted — update the alert's notification channel. (webhook "${id}")`

export const notSent = 'Failed to send webhook notification. Check the webhook configuration and destination.'

/** The name of the template helper that takes the mentions out of a message. */
export const mentionHelper = '__mention__'
