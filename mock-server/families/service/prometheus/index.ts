import type { Fault, Faults } from '../../../faults/fault.ts'
import { inAnswers, successOf, withBody } from '../../../faults/rewrite.ts'
import { unknownId } from '../../../words/refusal.ts'
import type { Reply } from '../../../words/reply.ts'
import { measurePipes } from '../../click-pipe/pipe-metrics.ts'
import type { Handlers, Request } from '../../family.ts'
import { type Service, services } from '../model.ts'
import { type Contribute, writeExposition } from './exposition.ts'
import { measureService } from './service-metrics.ts'

/** The functions of the families that have metrics. */
const contributors: readonly Contribute[] = [measureService, measurePipes]

function scrape({ world, now, ids, query }: Request, measured: readonly Service[]): Reply {
  const organizationId = ids.organizationId!
  const isFiltered = query.get('filtered_metrics') === 'true'
  const scraped = measured.flatMap(service =>
    contributors
      .flatMap(contribute => contribute(service, { world, organizationId, now }))
      .filter(({ isImportant }) => isImportant || !isFiltered)
      .map(family => [service, family] as const),
  )
  return { kind: 'text', text: writeExposition(scraped, organizationId) }
}

export const handlers = {
  'organizationPrometheus.get': request => {
    const { actor } = request
    const shown = request
      .list(services)
      // The operation needs no permission: it lists what the key may view.
      .filter(({ id }) => actor.kind === 'key' && actor.may('svc:view', id))
    // Without stopped services. The only metric of an idle one is its state.
    return scrape(
      request,
      shown.filter(({ state }) => state !== 'stopped'),
    )
  },
  'prometheusTarget.list': request => ({ kind: 'bare', json: JSON.stringify(listTargets(request)) }),
  'servicePrometheus.get': request => {
    const service = request.in(services).get(request.ids.serviceId!)
    if (!service) throw unknownId('Service')
    return scrape(request, [service])
  },
} as const satisfies Handlers

/** The scrape targets: each service that the key may view, unless it is being deleted. */
function listTargets(request: Request): readonly object[] {
  const { actor, origin, query, ids } = request
  const { host, protocol } = new URL(origin)
  const filtered = query.get('filtered_metrics') ?? 'true'
  const { organizationId = '' } = ids
  const target = ({ id, name, region, provider, tags = [] }: Service) => ({
    targets: [host],
    labels: {
      __scheme__: protocol.slice(0, -1),
      __metrics_path__: `/v1/organizations/${organizationId}/services/${id}/prometheus`,
      __param_filtered_metrics: filtered,
      clickhouse_org_id: organizationId,
      clickhouse_service_id: id,
      clickhouse_discovery_service_name: name,
      __meta_clickhouse_region: region,
      __meta_clickhouse_provider: provider,
      ...Object.fromEntries(
        tags.flatMap(({ key, value }) => {
          const label = key.replace(/\W/g, '_')
          const present = [`__meta_clickhouse_tagpresent_${label}`, 'true']
          return value === undefined ? [present] : [present, [`__meta_clickhouse_tag_${label}`, value]]
        }),
      ),
    },
  })
  return request
    .list(services)
    .filter(({ id, state }) => actor.kind === 'key' && actor.may('svc:view', id) && state !== 'terminating')
    .map(target)
}

const inText = (how: (text: string) => string): (() => Fault) =>
  inAnswers(successOf('servicePrometheus.get'), answer => withBody(answer, how(answer.body)))

export const faults = {
  'prometheus/is-plain-text': inAnswers(successOf('servicePrometheus.get'), answer => ({
    ...answer,
    headers: { ...answer.headers, 'content-type': 'text/html' },
  })),
  'prometheus/parses': inText(text => text.replace('} ', '}')),
  'prometheus/families-are-described': inText(text => text.replace(/^# HELP .*\n/gm, '')),
  'prometheus/counters-never-fall': inText(text =>
    text.replace(
      /^(# TYPE (\S+) counter\n)((?:\2.*\n)+)/gm,
      (_, type, _name, samples) => `${type}${samples.replace(/ \S+$/gm, ' -1')}`,
    ),
  ),
  'prometheusTarget/leads-to-metrics': inAnswers(successOf('prometheusTarget.list'), answer =>
    withBody(answer, answer.body.replaceAll('/prometheus"', '"')),
  ),
  'prometheus/filtered-is-a-part': () => async (call, next, context) => {
    const answer = await next(call)
    const isFiltered = context.operation === 'servicePrometheus.get' && call.query.includes('filtered_metrics=true')
    return isFiltered ? withBody(answer, `${answer.body}# HELP Added Added.\n# TYPE Added gauge\nAdded 1\n`) : answer
  },
} as const satisfies Faults
