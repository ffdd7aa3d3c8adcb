import type { Chaos } from '../../../../core/mock.ts'
import type { Page } from '../app.ts'
import { createWriter } from '../ask.ts'
import { element, fill } from '../element.ts'
import { numberField } from '../number-field.ts'
import { badge, button, toggle } from '../parts.ts'
import { describe } from '../pulse.ts'

/** Latency, failures and rate limits. What is out of bounds is not sent. */
export function renderChaos(chaos: Chaos, { pulse }: Page): HTMLElement {
  let now = chaos
  const state = element('p.state', { role: 'status' })
  const time = (label: string, id: string, value = 0) =>
    numberField(label, id, { value, unit: 'ms', min: 0, max: 60_000, step: 1 })
  const share = (label: string, id: string, rate = 0) =>
    numberField(label, id, { value: percent(rate), unit: '%', min: 0, max: 100, step: 0.1 })
  const least = time('Wait at least', 'least', now.latencyMs?.[0])
  const most = time('and at most', 'most', now.latencyMs?.[1])
  const errors = share('Calls that fail with a 500', 'errors', now.errorRate)
  const drops = share('Calls that get no answer', 'drops', now.dropRate)
  const breaks = share('Answers that break off', 'breaks', now.truncateRate)
  const fields = [least, most, errors, drops, breaks]
  const tell = () => {
    const notes = describe({ faults: [], chaos: now })
    fill(state, [
      notes.length === 0
        ? [badge('off', 'plain'), ' Every call is answered at once.']
        : notes.map(note => [badge(note, 'warn'), ' ']),
    ])
  }
  const write = createWriter<Chaos>('/control/chaos', state => {
    now = state
    tell()
  })
  const put = async (change: () => Chaos) => {
    await write(() => ({ ...now, ...change() }))
    await pulse.refresh()
  }
  const apply = async (event: Event) => {
    const [low, high, errorRate, dropRate, truncateRate] = fields.map(({ read }) => read())
    if (low === undefined || high === undefined) return
    if (errorRate === undefined || dropRate === undefined || truncateRate === undefined) return
    // The bound that was not typed follows the other.
    const latencyMs = event.target === most.input ? [Math.min(low, high), high] : [low, Math.max(low, high)]
    least.write(latencyMs[0]!)
    most.write(latencyMs[1]!)
    const rates = { errorRate: errorRate / 100, dropRate: dropRate / 100, truncateRate: truncateRate / 100 }
    await put(() => ({ latencyMs: latencyMs as [number, number], ...rates }))
  }
  for (const { input } of fields) input.addEventListener('change', apply)
  const limits = toggle('The rate limits of the real deployments', now.rateLimit ?? false, rateLimit =>
    put(() => ({ rateLimit })),
  )
  const stop = async () => {
    for (const { write } of fields) write(0)
    limits.querySelector('input')!.checked = false
    const none = { latencyMs: [0, 0] as const, errorRate: 0, dropRate: 0, truncateRate: 0, rateLimit: false }
    await put(() => none)
  }
  tell()
  return element('section.card', { 'aria-labelledby': 'chaos' }, [
    element('h2', { id: 'chaos' }, 'Chaos'),
    state,
    element('div.fields', [fields.map(({ root }) => root)]),
    limits,
    element('p', button('No chaos', stop)),
  ])
}

const percent = (rate: number) => Math.round(rate * 1000) / 10
