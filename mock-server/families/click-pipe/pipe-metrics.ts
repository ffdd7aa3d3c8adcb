import { createRandom, seedOf } from '../../world/random.ts'
import { isServing } from '../service/model.ts'
import type { Contribute, MetricFamily } from '../service/prometheus/exposition.ts'
import { clickPipes } from './model.ts'
import { kindOf, type Pipe } from './pipe.ts'

const counters = [
  ['FetchedEvents', 'Events that were fetched from the source.', 1],
  ['FetchedBytes', 'Bytes that were fetched from the source.', 240],
  ['FetchedBytesCompressed', 'Bytes that were fetched from the source, compressed.', 60],
  ['SentEvents', 'Events that were sent to the service.', 1],
  ['SentBytes', 'Bytes that were sent to the service.', 200],
  ['SentBytesCompressed', 'Bytes that were sent to the service, compressed.', 40],
] as const

/** The least reading time of a completed pipe, in milliseconds. */
const completedReadingTime = 90_000

/** The reading time of a pipe in milliseconds, until now or until it was stopped. */
function readingTimeOf({ state, createdAt, updatedAt }: Pipe, now: number): number {
  if (state === 'Running') return now - Date.parse(createdAt)
  return Math.max(Date.parse(updatedAt) - Date.parse(createdAt), state === 'Completed' ? completedReadingTime : 0)
}

/** The metrics of the pipes of a service. Their counts follow from the seed and from how long they have read. */
export const measurePipes: Contribute = (service, { world, now }) => {
  const pipes = isServing(service) ? world.list(clickPipes, service.id) : []
  if (pipes.length === 0) return []
  const family = (name: string, type: MetricFamily['type'], help: string, measure: (pipe: Pipe) => number) => ({
    name: `ClickPipes_${name}`,
    type,
    help,
    isImportant: true,
    samples: pipes.map(pipe => ({
      labels: {
        clickpipe_id: pipe.id,
        clickpipe_name: pipe.name,
        clickpipe_source: sourceOf(pipe),
        ...(name === 'Info' && { clickpipe_status: pipe.state }),
      },
      value: measure(pipe),
    })),
  })
  const events = (pipe: Pipe) => {
    const perSecond = createRandom(seedOf(world.seed, 'pipe metrics', pipe.id)).int(5, 50)
    return Math.floor((readingTimeOf(pipe, now) / 1000) * perSecond)
  }
  return [
    family('Info', 'gauge', 'Always 1; the labels say what a pipe is doing.', () => 1),
    ...counters.map(([name, help, size]) => family(`${name}_Total`, 'counter', help, pipe => size * events(pipe))),
    family('Errors_Total', 'counter', 'Errors of a pipe.', ({ state }) => (state === 'Failed' ? 1 : 0)),
  ]
}

/** The type of a source where its kind has several, else its kind. */
const sourceOf = (pipe: Pipe): string => {
  const kind = kindOf(pipe)
  const { type } = pipe.source[kind] as { readonly type?: string | null }
  return type ?? kind
}
