import { z } from 'zod/v3'
import { day } from '../../words/durations.ts'
import type { AlertInterval, Channel, ThresholdType } from '../../words/resources.ts'
import { type Judge, quickly } from '../observability/quickly.ts'
import { perTerms, type Terms } from '../observability/terms.ts'
import { enumeration, oneOf } from '../observability/vocabulary.ts'

export interface AlertBody {
  readonly channel?: Channel
  readonly channels?: readonly Channel[]
  readonly interval: AlertInterval
  readonly scheduleOffsetMinutes?: number
  readonly scheduleStartAt?: string | null
  readonly threshold: number
  readonly thresholdType: ThresholdType
  readonly thresholdMax?: number
  readonly source: 'tile' | 'saved_search'
  readonly dashboardId?: string
  readonly tileId?: string
  readonly savedSearchId?: string
  readonly groupBy?: string | null
  readonly name?: string | null
  readonly message?: string | null
  readonly note?: string | null
  readonly numConsecutiveWindows?: number | null
}

export const intervalMinutes: Readonly<Record<AlertInterval, number>> = {
  '1m': 1,
  '5m': 5,
  '15m': 15,
  '30m': 30,
  '1h': 60,
  '6h': 360,
  '12h': 720,
  '1d': 1440,
}

const year = 365 * day
const limits = ['above', 'below', 'above_exclusive', 'below_or_equal', 'equal', 'not_equal']
export const thresholdTypes = [...limits, 'between', 'not_between']

/** The body of an alert, for creation and for replacement alike. */
export const alertBody = perTerms(terms => {
  const { newer } = terms
  const channel = z.object({
    type: z.literal('webhook'),
    webhookId: newer ? z.string().min(1, "Webhook ID can't be empty") : z.string().min(1),
  })
  const text = (most: number) => z.string().min(1).max(most).nullish()
  const common = z.object({
    channel: newer ? channel.optional() : channel,
    ...(newer && {
      channels: z
        .array(channel)
        .min(1, 'At least one notification channel is required')
        .max(10, 'An alert supports at most 10 notification channels')
        .optional(),
    }),
    interval: oneOf(Object.keys(intervalMinutes)),
    scheduleOffsetMinutes: z.number().int().min(0).max(1439).optional(),
    scheduleStartAt: scheduleStartAt(terms),
    threshold: z.number(),
    thresholdType: enumeration(thresholdTypes),
    thresholdMax: z.number().optional(),
    source: enumeration(['saved_search', 'tile']).default('saved_search'),
    name: text(512),
    message: text(4096),
    ...(newer && { note: text(4096), numConsecutiveWindows: z.number().int().min(1).nullish() }),
  })
  const savedSearch = z.object({
    source: z.literal('saved_search'),
    groupBy: newer ? z.string().nullish() : z.string().optional(),
    savedSearchId: z.string().min(1),
  })
  const tile = z.object({ source: z.literal('tile'), tileId: z.string().min(1), dashboardId: z.string().min(1) })
  const check = (body: object, context: z.RefinementCtx) => {
    const alert = body as AlertBody
    if (newer) checkChannels(alert, context)
    checkOffset(alert, context)
    checkThresholdMax(alert, context)
  }
  // The default of `source` above never helps: what an alert watches is read from the body as it was sent.
  const deployed = common.and(z.union([savedSearch, tile])).superRefine(check)
  /** An alert on a tile that tells one webhook of one threshold, as nearly all do. */
  const usual = tile
    .merge(common.pick({ interval: true, threshold: true, name: true, message: true }))
    .extend({ thresholdType: oneOf(limits), channel: channel.strict() })
    .strict()
  return quickly(usual as unknown as Judge<AlertBody>, deployed as unknown as Judge<AlertBody>)
})

/** Compared with the clock of the mock at each request. */
const scheduleStartAt = (terms: Terms) =>
  z
    .union([z.string().datetime(), z.null()])
    .optional()
    .refine(start => start == null || Date.parse(start) <= terms.now + year, {
      message: 'scheduleStartAt must be within 1 year from now',
    })
    .refine(start => start == null || Date.parse(start) >= terms.now - 10 * year, {
      message: 'scheduleStartAt must be within 10 years in the past',
    })

function checkChannels({ channel, channels }: AlertBody, context: z.RefinementCtx) {
  const complain = (message: string) => context.addIssue({ code: 'custom', message, path: ['channels'] })
  if (!channel && !channels) complain('Provide either "channel" or "channels"')
  const [first] = channels ?? []
  if (channel && channels && channel.webhookId !== first?.webhookId) {
    complain('When both "channel" and "channels" are provided, "channel" must match the first entry of "channels"')
  }
  if (new Set(channels?.map(({ webhookId }) => webhookId)).size < (channels?.length ?? 0)) {
    complain('Duplicate notification channels are not allowed')
  }
}

function checkOffset(alert: AlertBody, context: z.RefinementCtx) {
  const complain = (message: string) => context.addIssue({ code: 'custom', message, path: ['scheduleOffsetMinutes'] })
  const offset = alert.scheduleOffsetMinutes ?? 0
  const minutes = intervalMinutes[alert.interval]
  if (alert.scheduleStartAt != null && offset > 0) {
    complain('scheduleOffsetMinutes must be 0 when scheduleStartAt is provided')
  }
  if (offset >= minutes) {
    complain(`scheduleOffsetMinutes must be less than ${minutes} minute${minutes === 1 ? '' : 's'}`)
  }
}

function checkThresholdMax({ thresholdType, threshold, thresholdMax }: AlertBody, context: z.RefinementCtx) {
  if (thresholdType !== 'between' && thresholdType !== 'not_between') return
  const complain = (message: string) => context.addIssue({ code: 'custom', message, path: ['thresholdMax'] })
  if (thresholdMax === undefined) complain('thresholdMax is required for between/not_between threshold types')
  else if (thresholdMax < threshold) complain('thresholdMax must be greater than or equal to threshold')
}

export const alertProperties: ReadonlySet<string> = new Set([
  'dashboardId',
  'tileId',
  'savedSearchId',
  'groupBy',
  'threshold',
  'thresholdMax',
  'interval',
  'scheduleOffsetMinutes',
  'scheduleStartAt',
  'source',
  'thresholdType',
  'channel',
  'channels',
  'name',
  'message',
  'note',
  'numConsecutiveWindows',
])
