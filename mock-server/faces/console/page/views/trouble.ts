import type { Chaos, TargetFile } from '../../../../core/mock.ts'
import { type ListedRule, readAbout } from '../about.ts'
import type { Page, View } from '../app.ts'
import { ask, createWriter, read } from '../ask.ts'
import { createTurn, forwardButtons } from '../clock.ts'
import { append, element, fill } from '../element.ts'
import { badge, toggle } from '../parts.ts'
import { describe } from '../pulse.ts'

/** What goes wrong on purpose, and what time it is. */
export const showTrouble: View = async (place, _words, signal, page) => {
  const [about, faults, chaos] = await Promise.all([
    readAbout(),
    read<readonly string[]>('/control/faults'),
    read<Chaos>('/control/chaos'),
  ])
  append(place, [
    element('h1', {}, 'Trouble'),
    element(
      'div',
      { class: 'columns' },
      renderChaos(chaos, page),
      element('div', { class: 'stack' }, renderClock(signal, page), renderReset(about.seed, page)),
    ),
    renderFaults(about.rules, faults, page),
  ])
}

function renderChaos(chaos: Chaos, { pulse, say }: Page): HTMLElement {
  let now = chaos
  const state = element('p', { class: 'state', role: 'status' })
  const number = (label: string, id: string, value: number, unit: string, most: number, step: number) => {
    const input = element('input', { type: 'number', id, min: 0, max: most, step, value, inputmode: 'decimal' })
    return {
      input,
      shown: element('label', { class: 'choose', for: id }, label, element('span', { class: 'unit' }, input, unit)),
    }
  }
  const least = number('Wait at least', 'least', now.latencyMs?.[0] ?? 0, 'ms', 60_000, 1)
  const most = number('and at most', 'most', now.latencyMs?.[1] ?? 0, 'ms', 60_000, 1)
  const share = (label: string, id: string, rate = 0) => number(label, id, Math.round(rate * 1000) / 10, '%', 100, 0.1)
  const errors = share('Calls that fail with a 500', 'errors', now.errorRate)
  const drops = share('Calls that get no answer', 'drops', now.dropRate)
  const breaks = share('Answers that break off', 'breaks', now.truncateRate)
  const fields = [least, most, errors, drops, breaks]
  const tell = () => {
    const notes = describe({ faults: [], chaos: now })
    fill(
      state,
      notes.length === 0
        ? [badge('off', 'plain'), ' Every call is answered at once.']
        : notes.map(note => [badge(note, 'warn'), ' ']),
    )
  }
  const write = createWriter<Chaos>('/control/chaos', state => {
    now = state
    tell()
  })
  const put = async (change: () => Chaos) => {
    await write(() => ({ ...now, ...change() }))
    await pulse.refresh()
  }
  const apply = async () => {
    const low = Math.max(0, least.input.valueAsNumber || 0)
    const high = Math.max(low, most.input.valueAsNumber || 0)
    most.input.value = String(high)
    const rates = { errorRate: rateIn(errors), dropRate: rateIn(drops), truncateRate: rateIn(breaks) }
    await put(() => ({ latencyMs: [low, high], ...rates })).catch(error => say(error.message))
  }
  for (const { input } of fields) input.addEventListener('change', apply)
  tell()
  return element(
    'section',
    { class: 'card', 'aria-labelledby': 'chaos' },
    element('h2', { id: 'chaos' }, 'Chaos'),
    state,
    element(
      'div',
      { class: 'fields' },
      fields.map(({ shown }) => shown),
    ),
    toggle(
      'The rate limits of the real deployments',
      now.rateLimit ?? false,
      rateLimit => put(() => ({ rateLimit })),
      say,
    ),
    element(
      'p',
      {},
      element(
        'button',
        {
          type: 'button',
          onclick: async () => {
            for (const { input } of fields) input.value = '0'
            const limits = document.querySelector<HTMLInputElement>('#chaos ~ .toggle input')
            if (limits) limits.checked = false
            const none = { latencyMs: [0, 0] as const, errorRate: 0, dropRate: 0, truncateRate: 0, rateLimit: false }
            await put(() => none).catch(error => say(error.message))
          },
        },
        'No chaos',
      ),
    ),
  )
}

const rateIn = ({ input }: { readonly input: HTMLInputElement }) =>
  Math.min(100, Math.max(0, input.valueAsNumber || 0)) / 100

function renderClock(signal: AbortSignal, page: Page): HTMLElement {
  const { pulse } = page
  const shown = element('p', { class: 'state' }, element('time', { class: 'clock' }))
  const tick = () => {
    shown.firstElementChild!.textContent = `${new Date(pulse.now()).toISOString().slice(0, 19).replace('T', ' ')} UTC`
  }
  const timer = setInterval(tick, 1000)
  signal.addEventListener('abort', () => clearInterval(timer))
  const turn = createTurn(page, tick)
  const moment = element('input', {
    type: 'datetime-local',
    step: 1,
    id: 'moment',
    value: new Date(pulse.now()).toISOString().slice(0, 19),
  })
  tick()
  return element(
    'section',
    { class: 'card', 'aria-labelledby': 'clock' },
    element('h2', { id: 'clock' }, 'Clock'),
    shown,
    element(
      'div',
      { class: 'tools' },
      forwardButtons(turn),
      element('button', { type: 'button', onclick: () => turn({ now: new Date().toISOString() }) }, 'Real time'),
    ),
    element(
      'form',
      {
        class: 'tools',
        onsubmit: (event: Event) => {
          event.preventDefault()
          if (moment.value) void turn({ now: `${moment.value}Z` })
        },
      },
      element('label', { class: 'choose', for: 'moment' }, 'UTC', moment),
      element('button', {}, 'Set'),
    ),
  )
}

function renderReset(current: number, { pulse, say }: Page): HTMLElement {
  const seed = element('input', { type: 'number', id: 'seed', value: current, step: 1 })
  const reset = async (event: Event) => {
    event.preventDefault()
    const wanted = seed.value === '' ? {} : { seed: seed.valueAsNumber }
    try {
      await ask<TargetFile>('POST', '/control/reset', wanted)
      await pulse.refresh()
      say(
        seed.valueAsNumber === current
          ? 'The world is as it was at the start.'
          : 'This is another world, with other credentials.',
      )
    } catch (error) {
      say((error as Error).message)
    }
  }
  return element(
    'section',
    { class: 'card', 'aria-labelledby': 'reset' },
    element('h2', { id: 'reset' }, 'World'),
    element(
      'p',
      { class: 'quiet' },
      'Puts everything back to the start. Another seed gives other ids and credentials.',
    ),
    element(
      'form',
      { class: 'tools', onsubmit: reset },
      element('label', { class: 'choose', for: 'seed' }, 'Seed', seed),
      element('button', {}, 'Reset'),
    ),
  )
}

function renderFaults(rules: readonly ListedRule[], inForce: readonly string[], { pulse, say }: Page): HTMLElement {
  let now = new Set(inForce)
  const state = element('p', { class: 'state', role: 'status' })
  const search = element('input', { type: 'search', placeholder: 'Find a rule', 'aria-label': 'Find a rule' })
  const none = element('button', { type: 'button' }, 'Break none')
  const write = createWriter<readonly string[]>('/control/faults', state => {
    now = new Set(state)
    tell()
  })
  const put = async (change: () => readonly string[]) => {
    await write(change)
    await pulse.refresh()
  }
  const tell = () => {
    none.disabled = now.size === 0
    for (const { id, row } of rows) row.querySelector('input')!.checked = now.has(id)
    fill(
      state,
      now.size === 0 ? [badge('none', 'plain'), ' Every rule is kept.'] : [[...now].map(id => [badge(id, 'bad'), ' '])],
    )
  }
  const rows = rules.map(rule => ({
    id: rule.id,
    text: `${rule.id} ${rule.says}`.toLowerCase(),
    row: element(
      'li',
      {},
      toggle(
        element(
          'span',
          {},
          element('span', {}, rule.says),
          element('small', {}, `${rule.level} · §${rule.section} · `, element('code', {}, rule.id)),
        ),
        now.has(rule.id),
        isOn => put(() => (isOn ? [...now, rule.id] : [...now].filter(id => id !== rule.id))),
        say,
      ),
    ),
  }))
  search.addEventListener('input', () => {
    const words = search.value.toLowerCase().split(/\s+/).filter(Boolean)
    for (const { text, row } of rows) row.hidden = !words.every(word => text.includes(word))
  })
  none.addEventListener('click', async () => {
    await put(() => []).catch(error => say(error.message))
  })
  tell()
  return element(
    'section',
    { 'aria-labelledby': 'faults' },
    element('h2', { id: 'faults' }, 'Faults'),
    element(
      'p',
      { class: 'quiet' },
      'Each breaks exactly one rule of the specification, for whoever wants to see what notices.',
    ),
    state,
    element('div', { class: 'tools' }, search, none),
    element(
      'ul',
      { class: 'faults' },
      rows.map(({ row }) => row),
    ),
  )
}
