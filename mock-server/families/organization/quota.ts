import type { ValuesOf } from '../../../fixtures/contract/index.ts'
import type { quota } from '../../../fixtures/contract/organization/quota.ts'
import type { Faults } from '../../faults/fault.ts'
import { inRecords, wrongField } from '../../faults/rewrite.ts'
import { Refusal } from '../../words/refusal.ts'
import { answerList, answerObject, type Handlers, type Request } from '../family.ts'
import { keys } from '../key/model.ts'
import { postgresServices } from '../postgres/model.ts'
import { services } from '../service/model.ts'

/** The quota of services for an organization with a number of services: larger organizations have a raised quota. */
export const quotaOfServices = (services: number): number => quotaStep * Math.max(1, Math.ceil(services / quotaStep))

const quotaStep = 20

type Quota = ValuesOf<typeof quota.fields>

/** Quotas have no records of their own: they follow from others. */
function listQuotas(request: Request): readonly Quota[] {
  const all = request.list(services)
  const replicas = new Map<string, number>()
  for (const { dataWarehouseId = '', numReplicas = 0 } of all)
    replicas.set(dataWarehouseId, (replicas.get(dataWarehouseId) ?? 0) + numReplicas)
  const quotas: readonly Omit<Quota, 'adjustable'>[] = [
    {
      quotaCode: 'services-per-organization',
      name: 'Services per organization',
      description: 'How many services the organization may have, in whatever state they are.',
      scope: 'organization',
      value: quotaOfServices(all.length),
      usage: all.length,
    },
    {
      quotaCode: 'postgres-services-per-organization',
      name: 'Postgres services per organization',
      description: 'How many Postgres services the organization may have.',
      scope: 'organization',
      value: 10,
      usage: request.in(postgresServices).size,
    },
    {
      quotaCode: 'api-keys-per-organization',
      name: 'API keys per organization',
      description: 'How many API keys the organization may have.',
      scope: 'organization',
      value: 100,
      usage: request.list(keys).filter(({ organizationId }) => organizationId === request.ids.organizationId).length,
    },
    {
      quotaCode: 'replicas-per-warehouse',
      name: 'Replicas per warehouse',
      description: 'How many replicas the services of one warehouse may have. The usage is that of the largest one.',
      scope: 'warehouse',
      value: 50,
      usage: Math.max(0, ...replicas.values()),
    },
  ]
  return quotas.map(one => ({ ...one, adjustable: true }))
}

export const handlers = {
  'quota.list': request => answerList(listQuotas(request)),
  'quota.get': request => {
    const { quotaCode = '' } = request.ids
    const found = listQuotas(request).find(one => one.quotaCode === quotaCode)
    if (!found) throw new Refusal('unknownId', quotaCode)
    return answerObject(found)
  },
} as const satisfies Handlers

export const faults = {
  'quota/list-agrees-with-get': wrongField('quota.list', 'name', 'Another one'),
  'quota/services-are-counted': inRecords(['quota.list', 'quota.get'], one => ({
    ...one,
    usage: Number(one.usage) + 1,
  })),
} as const satisfies Faults
