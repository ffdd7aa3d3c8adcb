import type { Form } from '../../../fixtures/contract/index.ts'
import { listIn } from '../../engine/pages.ts'
import { idOf, isObject, type JsonObject } from '../../engine/recognise.ts'
import type { RunContext } from '../../engine/step.ts'
import { referencesOf, sourceId, webhookId } from '../samples.ts'
import { ODD_TEXT } from './whole-bodies.ts'
import type { Whole } from './whole-life.ts'

/** What the contract does not say about whole dashboards and alerts: their references, and which fields exclude each other. */

/** A source of a kind, with its connection. */
function sourceOf(context: RunContext, form: Form, kind: string): JsonObject | undefined {
  const sources = listIn(context.exchange(`${form}:source.list-before`), 'source') ?? []
  const named = referencesOf(context, form).sources?.[kind as 'log']
  return sources.find(one => (named ? idOf(one, 'source') === named : one.kind === kind))
}

const withDisplayType = (config: JsonObject, context: RunContext, form: Form): object | undefined => {
  const { asRatio, formulas, showOperandSeries, ...rest } = config
  const { displayType, select } = rest
  if (displayType === 'heatmap' && 'sourceId' in rest) {
    const source = idOf(sourceOf(context, form, 'trace'), 'source')
    return source === undefined ? undefined : { ...rest, sourceId: source }
  }
  if (rest.configType === 'sql') {
    const connectionId = sourceOf(context, form, 'log')?.connection
    return connectionId === undefined ? undefined : { ...rest, connectionId }
  }
  // A ratio excludes formulas, so tables have the one and other tiles the other.
  if (displayType === 'table' && Array.isArray(select)) return { ...rest, asRatio, select: [...select, ...select] }
  return { ...rest, ...(formulas && { formulas }), ...(showOperandSeries !== undefined && { showOperandSeries }) }
}

/** Only this aggregation has a level, and each but `count` needs an expression. */
const select = { 'select.aggFn': 'quantile', 'formulas.expression': 'A * 2' } as const
const sql = 'SELECT toStartOfInterval(now(), INTERVAL {intervalSeconds:Int64} second) AS ts, 0 AS value'
const chart = { ...select, sqlTemplate: sql, connectionId: 'the connection of the source' } as const

/** A click leads to a source, or to a dashboard of the run. */
const leadSomewhere =
  (form: Form) =>
  (click: JsonObject, context: RunContext): object | undefined => {
    const { target, type } = click
    if (!isObject(target) || target.mode !== 'id') return click
    const id = type === 'search' ? sourceId(context, form) : context.created(`${form}:dashboard.create-spare`)
    return id === undefined ? undefined : { ...click, target: { ...target, id } }
  }

const spread = (filter: JsonObject): object => {
  // The older edition has neither.
  if (!('isVariableEnabled' in filter)) return filter
  return { ...filter, isVariableEnabled: true, isBroadcastEnabled: filter.type !== 'STATIC_LIST' }
}

export const wholeDashboard = (form: Form): Whole => ({
  from: [`${form}:source.list-before`, `${form}:dashboard.create-spare`],
  values: {
    ...chart,
    'onClick.target.id': 'the id of a source or a dashboard',
    'containers.id': 'stack-parity-group',
    'tabs.id': 'stack-parity-tab',
    'tiles.containerId': 'stack-parity-group',
    'tiles.tabId': 'stack-parity-tab',
    'filters.id': 'stack-parity-filter',
    'tiles.x': 3,
    'tiles.y': 2,
    minSelections: 1,
    isGlobalRequirement: true,
  },
  valuesFrom: {
    sourceId: context => sourceId(context, form),
    appliesToSourceIds: context => listOf(sourceId(context, form)),
  },
  omit: {
    'tiles.series': 'answers have a config instead',
    'tiles.asRatio': 'it belongs to series',
    'tiles.id': 'the server gives it',
    'filters.type=PROMETHEUS_LABEL': 'it needs a source of Prometheus',
    'filters.type=SOURCE_FILTER': 'it needs a source with filters',
    'savedFilterValues.type=variable': 'it needs a variable that only some deployments keep',
  },
  fit: {
    'tiles.config': (config, context) => withDisplayType(config, context, form),
    // A tile whose config was left out.
    tiles: tile => ('config' in tile ? tile : undefined),
    onClick: leadSomewhere(form),
    filters: spread,
  },
})

const listOf = (id: string | undefined) => id && [id]

const FAR = 1e15
/** By type: a threshold that no count of events meets. */
const thresholds: Readonly<Record<string, object>> = {
  above: { threshold: FAR },
  above_exclusive: { threshold: FAR },
  below: { threshold: -FAR },
  below_or_equal: { threshold: -FAR },
  equal: { threshold: FAR },
  between: { threshold: FAR, thresholdMax: 2 * FAR },
  not_between: { threshold: -FAR, thresholdMax: FAR },
}

/** The alert notifies the webhook of the target alone, never fires, and begins its windows late in one of two ways. */
function keepSilent(alert: JsonObject, { now }: RunContext): object {
  const { thresholdMax: _, scheduleStartAt: __, scheduleOffsetMinutes: ___, channels, ...rest } = alert
  // Every count differs from a number that is never met.
  const thresholdType = String(alert.thresholdType) in thresholds ? String(alert.thresholdType) : 'above'
  const begin = new Date(Math.floor(now / 86_400_000 + 1) * 86_400_000).toISOString()
  return {
    ...rest,
    thresholdType,
    ...thresholds[thresholdType],
    ...(typeof alert.message === 'string' && { message: `${alert.message}${ODD_TEXT}` }),
    ...(channels !== undefined && { channels: [alert.channel!] }),
    ...(alert.source === 'tile' ? { interval: '1h', scheduleOffsetMinutes: 7 } : { scheduleStartAt: begin }),
  }
}

/** A number has one series, and raw SQL no filter of its own. */
const withoutFilter =
  (form: Form) =>
  (config: JsonObject, context: RunContext): object | undefined => {
    const { where: _, whereLanguage: __, ...rest } = config
    return withDisplayType(config.configType === 'sql' ? rest : config, context, form)
  }

export const wholeAlert = (form: Form): Whole => ({
  turns: 4,
  from: [`${form}:source.list-before`, `${form}:savedSearch.create-spare`],
  values: { ...chart, 'chartConfig.seriesLimit': 3 },
  valuesFrom: {
    webhookId: context => webhookId(context, form),
    sourceId: context => sourceId(context, form),
    savedSearchId: context => context.created(`${form}:savedSearch.create-spare`),
  },
  omit: {
    'channel.type=email': 'it notifies people',
    'channels.type=email': 'it notifies people',
    webhookService: 'it is that of the webhook',
    slackChannelId: 'it names a channel of Slack',
    severity: 'it is for PagerDuty',
  },
  fit: { '': keepSilent, chartConfig: withoutFilter(form) },
})
