import { z } from 'zod/v3'
import type { ValuesOf } from '../../../../fixtures/contract/index.ts'
import type { usageCost } from '../../../../fixtures/contract/organization/usage-cost.ts'
import type { Faults } from '../../../faults/fault.ts'
import { inCalls, inRecords, type Json, refuse, succeeds } from '../../../faults/rewrite.ts'
import { day, hour } from '../../../words/durations.ts'
import { groupBy } from '../../../words/group-by.ts'
import { refused } from '../../../words/refusal.ts'
import type { Model } from '../../../world/collection.ts'
import { recordOf } from '../../../world/record.ts'
import type { World } from '../../../world/world.ts'
import { type BackupConfiguration, backupConfigurations } from '../../backup/backup-configuration/index.ts'
import { answerObject, type Handlers, type Request } from '../../family.ts'
import { hasTag, isServing, loadOf, type Service, services, storedGb, tagFilters } from '../../service/model.ts'
import { bytesSentOn } from '../../service/query-use.ts'
import { organizations } from '../model.ts'

const factorFields = {
  serviceId: z.string(),
  name: z.string(),
  dataWarehouseId: z.string(),
  isPrimary: z.boolean(),
  createdAt: z.number(),
  isServing: z.boolean(),
  /** The least and the most memory of all its replicas together. */
  minGb: z.number(),
  maxGb: z.number(),
  /** How many backups are kept. */
  backups: z.number(),
}
/** The properties of a service that determine its cost per hour. */
type Factors = Readonly<z.infer<z.ZodObject<typeof factorFields>>>

/** A period of constant cost per hour, in epoch milliseconds. */
type Meter = Factors & { readonly id: string; readonly from: number; readonly to: number }

/** The periods that have ended, also of deleted services. The current period follows from the service. */
const meters: Model<Meter, 'meter'> = {
  name: 'meter',
  within: organizations,
  isNumerous: true,
  isLog: true,
  record: recordOf({ ...factorFields, from: z.number(), to: z.number() }),
  reactions: [
    {
      model: services,
      beforeWrite({ place, at, before, after }, world) {
        if (before) closeIfChanged(world, place, at, readFactors(world, before), after && readFactors(world, after))
      },
    },
    {
      model: backupConfigurations,
      beforeWrite({ place, at, before, after }, world) {
        const organizationId = world.seededPlaces(services).find(one => world.in(services, one).get(place)) ?? ''
        const service = world.in(services, organizationId).get(place)
        if (!before || !service) return
        const factors = readFactors(world, service)
        const backups = after && countBackups(after)
        closeIfChanged(world, organizationId, at, factors, { ...factors, backups })
      },
    },
  ],
}

function closeIfChanged(world: World, organizationId: string, at: number, before: Factors, after?: Factors): void {
  if (JSON.stringify(before) === JSON.stringify(after)) return
  const known = world.in(meters, organizationId)
  const from = known.list().findLast(({ serviceId }) => serviceId === before.serviceId)?.to ?? before.createdAt
  if (from < at) known.create({ ...before, id: world.newObjectId(), from, to: at })
}

function readFactors(world: World, service: Service): Factors {
  const { id: serviceId, name, dataWarehouseId = serviceId, isPrimary = true, numReplicas = 1 } = service
  const { minReplicaMemoryGb = 0, maxReplicaMemoryGb = 0 } = service
  const [configuration] = isPrimary ? world.list(backupConfigurations, serviceId) : []
  return {
    serviceId,
    name,
    dataWarehouseId,
    isPrimary,
    createdAt: Date.parse(service.createdAt),
    isServing: isServing(service),
    minGb: numReplicas * minReplicaMemoryGb,
    maxGb: numReplicas * maxReplicaMemoryGb,
    backups: configuration ? countBackups(configuration) : 0,
  }
}

const countBackups = ({ backupRetentionPeriodInHours, backupPeriodInHours }: BackupConfiguration) =>
  Math.max(1, backupRetentionPeriodInHours / backupPeriodInHours)

/** All periods of an organization up to now, by the age of their service. */
export function metersOf(world: World, organizationId: string, now: number): readonly Omit<Meter, 'id'>[] {
  const ended = world.list(meters, organizationId)
  const lastEnds = new Map(ended.map(({ serviceId, to }) => [serviceId, to]))
  const current = world.list(services, organizationId).map(service => {
    const factors = readFactors(world, service)
    return { ...factors, from: lastEnds.get(factors.serviceId) ?? factors.createdAt, to: now }
  })
  return [...ended, ...current].toSorted((a, b) => a.createdAt - b.createdAt)
}

/** The start of the current uptime of a service, in epoch milliseconds. */
export function servingSince(world: World, organizationId: string, { id, createdAt }: Service): number {
  const last = world.list(meters, organizationId).findLast(one => one.serviceId === id && !one.isServing)
  return last?.to ?? Date.parse(createdAt)
}

type Row = ValuesOf<typeof usageCost.fields>['costs'][number]

type Period = Omit<Meter, 'id'>

/** Credits for 8 GB of memory in an hour, and for a gigabyte stored for an hour. */
const computeCredits = 0.2
const storageCredits = 25.3 / 1000 / 730
/** The share of the data that changes from one backup to the next. */
const changedShare = 0.08
/** Credits for what a busy service sends in an hour. */
const transferCredits = 0.02
/** Credits for a byte that an engine really sent. */
const creditsPerByte = 0.1152 / 1e9
/** Time from the end of a day until its rows are final. */
const timeToLock = 2 * day

/** Credits have six decimals, so that sums of them are exact. */
export const roundCredits = (credits: number): number => Math.round(credits * 1e6) / 1e6

/** The costs of an organization on a day: of each warehouse, then of its services. */
export function rowsOfDay(world: World, periods: readonly Period[], at: number, now: number): readonly Row[] {
  const { seed } = world
  const date = new Date(at).toISOString().slice(0, 10)
  const onDay = periods.filter(({ from, to }) => from < at + day && to > at)
  const hoursOf = ({ from, to }: Period) => (Math.min(to, at + day) - Math.max(from, at)) / hour
  const locked = now >= at + day + timeToLock
  type Entity = Pick<Row, 'dataWarehouseId' | 'serviceId' | 'entityType' | 'entityId' | 'entityName'>
  const row = (entity: Entity, costs: Row['metrics']): Row => {
    const metrics = Object.fromEntries(Object.entries(costs).map(([name, chc]) => [name, roundCredits(chc)]))
    const totalCHC = roundCredits(Object.values(metrics).reduce((sum, chc) => sum + chc, 0))
    return { date, ...entity, organizationTier: 'SCALE', locked, metrics, totalCHC, discount: 1 }
  }

  const rowsOfWarehouse = (dataWarehouseId: string, list: readonly Period[]): readonly Row[] => {
    const primary = list.filter(({ isPrimary }) => isPrimary)
    const metrics = { storageCHC: 0, backupCHC: 0 }
    for (const period of primary) {
      const costs = hoursOf(period) * storageCredits * storedGb(seed, period.serviceId, period.createdAt, at)
      metrics.storageCHC += costs
      metrics.backupCHC += costs * (1 + changedShare * period.backups)
    }
    const name = primary.at(-1)?.name
    if (name === undefined) return []
    const entity = { entityType: 'datawarehouse', entityId: dataWarehouseId, entityName: `${name} warehouse` } as const
    return [row({ dataWarehouseId, serviceId: null, ...entity }, metrics)]
  }

  const rowOfService = (serviceId: string, list: readonly Period[]): Row => {
    const load = loadOf(seed, serviceId, at)
    const { dataWarehouseId, name } = list.at(-1)!
    const metrics = { publicDataTransferCHC: creditsPerByte * bytesSentOn(world, serviceId, date), computeCHC: 0 }
    for (const period of list.filter(one => one.isServing)) {
      const memory = period.minGb + (period.maxGb - period.minGb) * load * 0.2
      metrics.publicDataTransferCHC += hoursOf(period) * transferCredits * load
      metrics.computeCHC += (hoursOf(period) * computeCredits * memory) / 8
    }
    const entity = { entityType: 'service', entityId: serviceId, entityName: name } as const
    return row({ dataWarehouseId, serviceId, ...entity }, metrics)
  }

  const grouped = [...groupBy(onDay, ({ dataWarehouseId }) => dataWarehouseId)]
  return grouped.flatMap(([dataWarehouseId, list]) => [
    ...rowsOfWarehouse(dataWarehouseId, list),
    ...[...groupBy(list, ({ serviceId }) => serviceId)].map(([id, own]) => rowOfService(id, own)),
  ])
}

export const models = [meters]

const maxDays = 31
const maxRows = 500_000

/** A day of the query, as its first moment in UTC. */
function dayIn({ query }: Request, name: 'from_date' | 'to_date'): number {
  const text = query.get(name) ?? ''
  const at = Date.parse(text)
  const isDay = /^\d{4}-\d\d-\d\d$/.test(text) && !Number.isNaN(at) && new Date(at).toISOString().startsWith(text)
  // Deployments answer with the received text as the sentence.
  if (!isDay) throw refused(text)
  return at
}

export const handlers = {
  'usageCost.get': request => {
    const { world, now, ids } = request
    const [from, to] = [dayIn(request, 'from_date'), dayIn(request, 'to_date')]
    if (to < from) throw refused('to_date must not be before from_date')
    if (to >= from + maxDays * day) throw refused(`to_date must be at most ${maxDays - 1} days after from_date`)
    const filters = tagFilters(request)
    const all = request.list(services)
    const matching = new Set(all.filter(one => filters.every(filter => hasTag(one, filter))).map(({ id }) => id))
    const periods = metersOf(world, ids.organizationId!, now).filter(
      // No filter matches deleted services: they have no tags.
      ({ serviceId }) => filters.length === 0 || matching.has(serviceId),
    )
    if (periods.length * maxDays > maxRows) throw refused(`the answer would have more than ${maxRows} rows: use filter`)
    const costs = []
    for (let at = from; at <= to && at < now; at += day) costs.push(...rowsOfDay(world, periods, at, now))
    const grandTotalCHC = roundCredits(costs.reduce((sum, { totalCHC }) => sum + totalCHC, 0))
    return answerObject({ grandTotalCHC, costs })
  },
} as const satisfies Handlers

const inRows = (how: (row: Json) => Json) =>
  inRecords('usageCost.get', cost => ({ ...cost, costs: Array.isArray(cost.costs) ? cost.costs.map(how) : cost.costs }))

export const faults = {
  'usageCost/filter-selects': inCalls('usageCost.get', call => ({
    ...call,
    query: call.query.replace(/&filter=[^&]*/, ''),
  })),
  'usageCost/rows-add-up': inRecords('usageCost.get', cost => ({
    ...cost,
    grandTotalCHC: Number(cost.grandTotalCHC) + 1,
  })),
  'usageCost/days-are-those-asked-for': inRows(row => ({ ...row, date: String(row.date).replace(/^\d+/, '1999') })),
  'usageCost/each-day-stands-once': inRecords('usageCost.get', cost => ({
    ...cost,
    costs:
      Array.isArray(cost.costs) && cost.costs.length > 0
        ? [...cost.costs, { ...cost.costs[0], totalCHC: 0 }]
        : cost.costs,
  })),
  'usageCost/amounts-are-not-negative': inRows(row => ({ ...row, metrics: { storageCHC: -1 } })),
  'usageCost/more-than-31-days-are-refused': () => async (call, next, context) => {
    const answer = await next(call)
    if (context.operation !== 'usageCost.get' || answer.status !== 400) return answer
    const query = new URLSearchParams(call.query)
    const shortened = await next({
      ...call,
      query: `from_date=${query.get('from_date')}&to_date=${query.get('from_date')}`,
    })
    return succeeds(shortened) ? shortened : refuse(answer, context, 400, 'from_date')
  },
} as const satisfies Faults
