import type { ValuesOf } from '../../../../fixtures/contract/index.ts'
import type { usageCost } from '../../../../fixtures/contract/organization/usage-cost.ts'
import { day, hour } from '../../../words/durations.ts'
import { groupBy } from '../../../words/group-by.ts'
import type { World } from '../../../world/world.ts'
import { loadOf, storedGb } from '../../service/model.ts'
import { sentOn } from '../../service/query-use.ts'
import type { Meter } from './model.ts'

export type Row = ValuesOf<typeof usageCost.fields>['costs'][number]

type Time = Omit<Meter, 'id'>

/** Credits for 8 GB of memory in an hour, and for a gigabyte stored for an hour. */
const compute = 0.2
const storage = 25.3 / 1000 / 730
/** The share of the data that changes from one backup to the next. */
const changed = 0.08
/** Credits for what a busy service sends in an hour. */
const transfer = 0.02
/** Credits for a byte that an engine really sent. */
const perByte = 0.1152 / 1e9
/** Time after its day until a row is final. */
const settled = 2 * day

/** Credits have six decimals, so that sums of them are exact. */
export const roundCredits = (credits: number): number => Math.round(credits * 1e6) / 1e6

/** What the warehouses and services of an organization cost on a day; each warehouse, then its services. */
export function rowsOfDay(world: World, times: readonly Time[], at: number, now: number): readonly Row[] {
  const { seed } = world
  const date = new Date(at).toISOString().slice(0, 10)
  const onDay = times.filter(({ from, to }) => from < at + day && to > at)
  const hoursOf = ({ from, to }: Time) => (Math.min(to, at + day) - Math.max(from, at)) / hour
  const locked = now >= at + day + settled
  type Entity = Pick<Row, 'dataWarehouseId' | 'serviceId' | 'entityType' | 'entityId' | 'entityName'>
  const row = (entity: Entity, costs: Row['metrics']): Row => {
    const metrics = Object.fromEntries(Object.entries(costs).map(([name, chc]) => [name, roundCredits(chc)]))
    const totalCHC = roundCredits(Object.values(metrics).reduce((sum, chc) => sum + chc, 0))
    return { date, ...entity, organizationTier: 'SCALE', locked, metrics, totalCHC, discount: 1 }
  }

  const rowOfWarehouse = (dataWarehouseId: string, list: readonly Time[]): readonly Row[] => {
    const primary = list.filter(({ isPrimary }) => isPrimary)
    const metrics = { storageCHC: 0, backupCHC: 0 }
    for (const time of primary) {
      const costs = hoursOf(time) * storage * storedGb(seed, time.serviceId, time.createdAt, at)
      metrics.storageCHC += costs
      metrics.backupCHC += costs * (1 + changed * time.backups)
    }
    const name = primary.at(-1)?.name
    if (name === undefined) return []
    const entity = { entityType: 'datawarehouse', entityId: dataWarehouseId, entityName: `${name} warehouse` } as const
    return [row({ dataWarehouseId, serviceId: null, ...entity }, metrics)]
  }

  const rowOfService = (serviceId: string, list: readonly Time[]): Row => {
    const load = loadOf(seed, serviceId, at)
    const { dataWarehouseId, name } = list.at(-1)!
    const metrics = { publicDataTransferCHC: perByte * sentOn(world, serviceId, date), computeCHC: 0 }
    for (const time of list.filter(one => one.isServing)) {
      const memory = time.minGb + (time.maxGb - time.minGb) * load * 0.2
      metrics.publicDataTransferCHC += hoursOf(time) * transfer * load
      metrics.computeCHC += (hoursOf(time) * compute * memory) / 8
    }
    const entity = { entityType: 'service', entityId: serviceId, entityName: name } as const
    return row({ dataWarehouseId, serviceId, ...entity }, metrics)
  }

  const grouped = [...groupBy(onDay, ({ dataWarehouseId }) => dataWarehouseId)]
  return grouped.flatMap(([dataWarehouseId, list]) => [
    ...rowOfWarehouse(dataWarehouseId, list),
    ...[...groupBy(list, ({ serviceId }) => serviceId)].map(([id, own]) => rowOfService(id, own)),
  ])
}
