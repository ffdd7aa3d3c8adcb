import type { TargetFile } from '../../mock-server/mock/mock.ts'
import type { State } from '../../mock-server/mock/state.ts'
import { basicOf } from './sample-requests.ts'

/** A request to the mock, and its answer, in process or over HTTP. */
export type Ask = (
  host: 'cloud' | 'selfHosted',
  request: { readonly method: string; readonly path: string; readonly authorization: string; readonly body?: unknown },
) => Promise<{ readonly status: number; readonly body: string }>

/** An observability stack from the view of its client. */
export interface Site {
  readonly name: string
  readonly host: 'cloud' | 'selfHosted'
  readonly path: string
  readonly authorization: string
  readonly webhookId: string
  /** The records in its lists at the start. */
  readonly initial: { readonly dashboards: readonly string[]; readonly alerts: readonly string[] }
}

/** Isolated stacks of a world: the self-hosted one, and those of two services of one organization and one of another. */
export function sitesOf(name: string, target: TargetFile, state: State): readonly Site[] {
  const cloud = target.cloud!
  const [first, second] = [cloud.organizationId, cloud.secondOrganizationId!]
  const ids = (organizationId: string) => idsOf(state, 'service', organizationId)
  const site = (id: string, host: Site['host'], path: string, authorization: string): Site => {
    const initial = { dashboards: idsOf(state, 'dashboard', id), alerts: idsOf(state, 'alert', id) }
    return { name: `${name}${path}`, host, path, authorization, webhookId: idsOf(state, 'webhook', id)[0]!, initial }
  }
  const managed = (organizationId: string, serviceId: string, authorization: string) =>
    site(
      serviceId,
      'cloud',
      `/v1/organizations/${organizationId}/services/${serviceId}/${cloud.observabilitySegment}`,
      authorization,
    )
  const [one, two] = ids(first)
  const own = basicOf(cloud.keyId, cloud.keySecret)
  return [
    site('self-hosted', 'selfHosted', '/api/v2', `Bearer ${target.selfHosted!.apiKey}`),
    managed(first, one!, own),
    managed(first, two!, own),
    managed(second, ids(second)[0]!, basicOf(cloud.secondKeyId!, cloud.secondKeySecret!)),
  ]
}

const idsOf = ({ records }: State, model: string, place: string): readonly string[] =>
  (records[model]![place] as readonly { readonly id: string }[]).map(({ id }) => id)
