import { writeLabels } from '../../../telemetry/write-labels.ts'
import { groupBy } from '../../../words/group-by.ts'
import type { World } from '../../../world/world.ts'
import type { Service } from '../model.ts'

/** One metric with all its samples. */
export interface MetricFamily {
  readonly name: string
  readonly type: 'counter' | 'gauge' | 'untyped'
  readonly help: string
  /** Whether it is in answers with `filtered_metrics`. */
  readonly isImportant: boolean
  readonly samples: readonly Sample[]
}

export interface Sample {
  /** In addition to those of the service. */
  readonly labels: Readonly<Record<string, string>>
  readonly value: number
}

/** The subject and time of a scrape. */
interface Scrape {
  readonly world: World
  readonly organizationId: string
  readonly now: number
}

/** Returns the metrics of a service, or of something in it. */
export type Contribute = (service: Service, scrape: Scrape) => readonly MetricFamily[]

/** Writes samples in the text format of Prometheus: each family once, with the samples of all services. */
export function writeExposition(
  scraped: readonly (readonly [Service, MetricFamily])[],
  organizationId: string,
): string {
  const families = groupBy(scraped, ([, { name }]) => name)
  const lines = [...families].flatMap(([name, list]) => {
    const { help, type } = list[0]![1]
    const samples = list.flatMap(([{ id, name: serviceName }, { samples }]) =>
      samples.map(({ labels, value }) => {
        const own = { clickhouse_org: organizationId, clickhouse_service: id, clickhouse_service_name: serviceName }
        return `${name}${writeLabels({ ...own, ...labels })} ${value}`
      }),
    )
    return [`# HELP ${name} ${help}`, `# TYPE ${name} ${type}`, ...samples]
  })
  return lines.map(line => `${line}\n`).join('')
}
