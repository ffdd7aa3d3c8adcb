import { z } from 'zod/v3'
import { alert } from '../../../fixtures/contract/alert.ts'
import type { Edition } from '../../../fixtures/contract/index.ts'
import type { Fault, Faults } from '../../faults/fault.ts'
import { wrongFieldAfterUpdate } from '../../faults/lifecycle.ts'
import { inAnswers, refuse, successOf } from '../../faults/rewrite.ts'
import type { BodyRules, ReportIssue as ReportIssueAt } from '../../fields/judge.ts'
import { invalidInput, typeOfEnumeration } from '../../fields/sentences.ts'
import { presenterOf } from '../../fields/view.ts'
import type { Answer } from '../../words/call.ts'
import { day } from '../../words/durations.ts'
import { refused } from '../../words/refusal.ts'
import type { Reply } from '../../words/reply.ts'
import type { Alert, Channel, TileConfig } from '../../words/resources.ts'
import type { Model } from '../../world/collection.ts'
import { recordSchema } from '../../world/record.ts'
import { checkConfig, checkSelect, type SentConfig } from '../dashboard/body-rules.ts'
import { refuseSqlWithoutAlerts } from '../dashboard/index.ts'
import type { BodyOf, Family, HandlersOf, Request } from '../family.ts'
import { idCheck, serveDocuments } from '../stack/documents.ts'
import { planStack } from '../stack/stack-plan.ts'
import { listAlerts } from './list-alerts.ts'
import { makeAlert } from './make-alert.ts'
import { intervalMinutes } from './schedule.ts'
import { labelsOf } from './watched.ts'

export const alerts: Model<Alert, 'alert'> = {
  name: 'alert',
  within: 'stack',
  isNumerous: true,
  fromCaptured: ({ fields: { channel, channels = channel ? [channel] : [] } }) => ({ channel: undefined, channels }),
  // A record has `channels` alone; answers have the first of them as `channel`, too.
  record: recordSchema(
    { ...alert.fields, channels: { ...alert.fields.channels, min: 0 } },
    {
      channel: z.undefined(),
      // A state or a scenario may omit name and message, and may have no channel.
      name: z.string().nullish(),
      message: z.string().nullish(),
      evaluatedUntil: z.number().optional(),
      groups: z
        .record(
          z.object({
            state: z.enum(['ALERT', 'PENDING']),
            violatedAt: z.array(z.number()),
            hasFired: z.literal(true).optional(),
          }),
        )
        .optional(),
      windows: z.array(z.tuple([z.number(), z.number(), z.number(), z.enum(alert.fields.state.values)])).optional(),
    },
    alert.oneOf,
  ),
  // The control plane makes new alerts of a sample: these were never evaluated.
  seed: (stackId, from) =>
    planStack(stackId, from).alerts.map(one => (from.isSample ? { ...one, evaluatedUntil: undefined } : one)),
}

const year = 365 * day

/** The sentences of deployments for alerts, and their rules over several fields. */
const alertRules: BodyRules = {
  sentences: {
    union: invalidInput,
    'channel.webhookId min': { '2.36': "Webhook ID can't be empty" },
    'channels.webhookId min': "Webhook ID can't be empty",
    'channels min': 'At least one notification channel is required',
    'channels max': 'An alert supports at most 10 notification channels',
    'scheduleStartAt type': invalidInput,
    'thresholdType type': typeOfEnumeration,
    'source type': typeOfEnumeration,
  },
  checks: {
    // NaN, for a text that is no time, fails both comparisons.
    scheduleStartAt: (start: string, reportIssue, { now }) => {
      const time = Date.parse(start)
      if (!(time <= now + year)) reportIssue('scheduleStartAt must be within 1 year from now')
      if (!(time >= now - 10 * year)) reportIssue('scheduleStartAt must be within 10 years in the past')
    },
    'chartConfig.select': checkSelect,
    chartConfig: (_, reportIssue, terms, sent: SentConfig) => {
      checkChart(sent, reportIssue)
      checkConfig(sent, reportIssue, terms, 'charts')
    },
    '': (alert: BodyOf<'alert.create'>, reportIssue, { form }, sent: { readonly chartConfig?: unknown }) => {
      checkChannels(alert, sentence => reportIssue(sentence, 'channels'))
      checkOffset(alert, sentence => reportIssue(sentence, 'scheduleOffsetMinutes'))
      checkThresholdMax(alert, sentence => reportIssue(sentence, 'thresholdMax'))
      // Self-hosted editions drop the field.
      if (form === 'managed' && alert.source !== 'inline' && sent.chartConfig !== undefined)
        reportIssue('chartConfig is only supported when source is "inline"', 'chartConfig')
    },
  },
}

type ReportIssue = (sentence: string) => void

function checkChannels({ channel, channels }: Partial<BodyOf<'alert.create'>>, reportIssue: ReportIssue) {
  if (!channel && !channels) reportIssue('Provide either "channel" or "channels"')
  if (channel && channels && targetOf(channel) !== (channels[0] && targetOf(channels[0]))) {
    reportIssue('When both "channel" and "channels" are provided, "channel" must match the first entry of "channels"')
  }
  if (new Set(channels?.map(targetOf)).size < (channels?.length ?? 0)) {
    reportIssue('Duplicate notification channels are not allowed')
  }
}

const targetOf = ({ webhookId, emailRecipients = [] }: Channel) => webhookId ?? emailRecipients.toSorted().join()

function checkOffset(alert: BodyOf<'alert.create'>, reportIssue: ReportIssue) {
  const offset = alert.scheduleOffsetMinutes ?? 0
  const minutes = intervalMinutes[alert.interval]
  if (alert.scheduleStartAt != null && offset > 0) {
    reportIssue('scheduleOffsetMinutes must be 0 when scheduleStartAt is provided')
  }
  if (offset >= minutes) {
    reportIssue(`scheduleOffsetMinutes must be less than ${minutes} minute${minutes === 1 ? '' : 's'}`)
  }
}

function checkThresholdMax(
  { thresholdType, threshold, thresholdMax }: BodyOf<'alert.create'>,
  reportIssue: ReportIssue,
) {
  if (thresholdType !== 'between' && thresholdType !== 'not_between') return
  if (thresholdMax == null) reportIssue('thresholdMax is required for between/not_between threshold types')
  else if (thresholdMax < threshold) reportIssue('thresholdMax must be greater than or equal to threshold')
}

type InlineAlert = Extract<BodyOf<'alert.create'>, { source: 'inline' }>

/** The rules of the newer source of deployments for the chart of an inline alert, beyond those of tiles. */
function checkChart({ configType, where }: SentConfig, reportIssue: ReportIssueAt) {
  if (configType !== undefined && configType !== 'sql')
    reportIssue('configType must be "sql" or omitted (builder configs carry no configType)', 'configType')
  if (configType === 'sql' && where)
    reportIssue('Raw SQL alert configs have no chart-level where; filter inside the sqlTemplate instead')
}

type AlertBody = BodyOf<'alert.create'>

export const models = [alerts]
export const consoleLists: Family['consoleLists'] = {
  alerts: {
    model: alerts,
    read: async (stackId, { queryStack, now }) => ({ now, alerts: await listAlerts(queryStack(stackId), now) }),
  },
}
export { evaluateAlerts } from './evaluate-alerts.ts'
export const bodies: Family['bodies'] = { alert: alertRules }

const presentOwn = presenterOf(alert, 'answer', 'selfHosted')
const presentManaged = presenterOf(alert, 'answer', 'managed')
const hasLabels = ({ form, edition }: Request) => form === 'managed' && edition !== '2.24'
const { find, get, list, create, replace, remove } = serveDocuments(
  alerts,
  'Alert',
  (record, request, isListed) => {
    const shown = { ...record, channel: record.channels[0] }
    if (!hasLabels(request)) return presentOwn(shown, request.edition)
    const { chartConfig, ...rest } = { ...shown, ...labelsOf(record, request.stack) }
    return presentManaged(isListed ? rest : { ...rest, chartConfig }, request.edition)
  },
  // Not cached: names and tags of what an alert watches change without a write to the alert.
  request => (hasLabels(request) ? undefined : request.edition),
)

/** Refuses a broken reference of an alert. Deployments check in this order, and look up the alert itself afterwards. */
function refuseBrokenReference(body: AlertBody, request: Request) {
  const { stack } = request
  const isId = idCheck(request)
  if (body.source === 'saved_search') refuseBrokenSearch(body, request)
  else if (body.source === 'tile') refuseBrokenTile(body, request)
  else refuseBrokenChart(body, request)
  for (const { webhookId } of (body.channels ?? [body.channel]) as readonly Channel[]) {
    if (webhookId === undefined) continue
    if (!isId(webhookId)) throw refused('Invalid webhook ID')
    if (!stack.webhooks.get(webhookId.toLowerCase())) throw refused('Webhook not found')
  }
}

function refuseBrokenTile({ dashboardId, tileId }: Extract<AlertBody, { source: 'tile' }>, request: Request) {
  if (!idCheck(request)(dashboardId)) throw refused('Invalid dashboard ID')
  const dashboard = request.stack.dashboards.get(dashboardId.toLowerCase())
  if (!dashboard) throw refused('Dashboard not found')
  const tile = dashboard.tiles.find(({ id }) => id === tileId)
  if (!tile) throw refused('Tile not found')
  refuseSqlWithoutAlerts(tile.config)
}

const kindsWithFormulas: readonly string[] = ['log', 'trace', 'metric']

/** The chart of an inline alert has a source, or is raw SQL for a connection, perhaps in place of a source. */
function refuseBrokenChart({ chartConfig }: InlineAlert, request: Request) {
  const { connectionId, sourceId, configType, formulas } = chartConfig as unknown as TileConfig
  const { stack } = request
  const isId = idCheck(request)
  const isRaw = configType === 'sql'
  if (isRaw) {
    refuseSqlWithoutAlerts(chartConfig as unknown as TileConfig)
    if (!connectionId || !isId(connectionId)) throw refused('Invalid connection ID')
    if (!stack.connections.get(connectionId.toLowerCase())) throw refused('Connection not found')
    if (sourceId === undefined) return
  }
  if (!isId(sourceId ?? '')) throw refused('Invalid source ID')
  const source = stack.sources.get(sourceId!.toLowerCase())
  if (!source) throw refused('Source not found')
  if (isRaw && source.connection.toLowerCase() !== connectionId!.toLowerCase())
    throw refused('Source does not belong to the specified connection')
  if (formulas?.length && !kindsWithFormulas.includes(source.kind))
    throw refused('Alerts with formulas require a Metric, Log, or Trace source')
}

function refuseBrokenSearch({ savedSearchId }: Extract<AlertBody, { source: 'saved_search' }>, request: Request) {
  if (!idCheck(request)(savedSearchId)) throw refused('Invalid saved search ID')
  if (!request.stack.savedSearches.get(savedSearchId.toLowerCase())) throw refused('Saved search not found')
}

const bodyOf = presenterOf(alert, 'request') as (record: object, edition: Edition) => Partial<AlertBody>

export const unsent: Family['unsent'] = {
  /** A body that names channels in one of the two ways replaces both. */
  'alert.update': request => {
    const before = find(request)
    const { channel, channels, ...rest } = bodyOf({ ...before, channel: before.channels[0] }, request.edition)
    const body = request.body as object
    return 'channel' in body || 'channels' in body ? rest : { ...rest, channel, channels }
  },
}

/** A read of alerts opens their stack, so that they are evaluated from now on. */
const useStack =
  (answer: (request: Request) => Reply) =>
  (request: Request): Reply => {
    void request.stack
    return answer(request)
  }

export const handlers: HandlersOf<'alert'> = {
  'alert.list': useStack(list),
  'alert.create': request => {
    const { body, stack, world, now } = request
    refuseBrokenReference(body, request)
    return create(request, makeAlert(body, { id: world.newObjectId(), teamId: stack.teamId }, now))
  },
  'alert.get': useStack(get),
  'alert.update': request => {
    refuseBrokenReference(request.body, request)
    return replace(request, makeAlert(request.body, find(request), request.now))
  },
  'alert.delete': request => remove(request, find(request)),
}

/** Deliveries with this state never leave the mock. */
const loseDeliveries = (state: string) => (): Fault => async (call, next) =>
  call.body.includes(`"${state}"`) ? { status: 0, headers: {}, body: '' } : next(call)

export const faults = {
  // The sample alert of the specification watches a tile; alerts on saved searches are still accepted.
  'alert/create-accepts-the-sample': inAnswers(
    (answer, context) => successOf('alert.create')(answer, context) && !answer.body.includes('"saved_search"'),
    (answer, context) => refuse(answer, context, 400, 'An alert of this kind is not accepted.'),
  ),
  'alert/unsent-stays': wrongFieldAfterUpdate('alert', 'createdAt', '2001-01-01T00:00:00.000Z'),
  'alert/firing-notifies': loseDeliveries('ALERT'),
  'alert/resolution-notifies': loseDeliveries('OK'),
  'alert/notification-links-to-dashboard':
    () =>
    (call, next): Promise<Answer> =>
      next({ ...call, body: call.body.replaceAll('/dashboards/', '/boards/') }),
} as const satisfies Faults
