import type { Request } from '../family.ts'
import { type Service, services } from '../service/model.ts'

/** What Prometheus is to scrape of each service that the key may view, until the service is being deleted. */
export function listTargets(request: Request): readonly object[] {
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
    .in(services)
    .list()
    .filter(({ id, state }) => actor.kind === 'key' && actor.may('svc:view', id) && state !== 'terminating')
    .map(target)
}
