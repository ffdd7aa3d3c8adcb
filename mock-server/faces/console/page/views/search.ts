import type { SavedSearch } from '../../../../families/saved-search/model.ts'
import type { Range } from '../../../../telemetry/query/plan.ts'
import type { FoundRow, FoundRows } from '../../find-rows.ts'
import { controlAddress, Declined, listRecords, pageAddress, read, readRecords } from '../ask.ts'
import { renderDrawing } from '../drawing.ts'
import { append, element, fill } from '../element.ts'
import { button, choice } from '../parts.ts'
import { renderRow } from '../rows.ts'
import { listStacks, ranges, stackChoice, tellRange, usualMinutes } from '../stacks.ts'
import { showTrace } from './trace.ts'

interface Found extends FoundRows {
  readonly range: Range
}

const kinds = [
  ['log', 'Logs'],
  ['trace', 'Traces'],
  ['session', 'Sessions'],
] as const
const page = 100

/** Finds log lines, spans and sessions. In the address: stack, kind, minutes, search; or stack, `trace-id`, id and a time. */
export async function showSearch(place: HTMLElement, words: readonly string[]): Promise<void> {
  const stacks = await listStacks()
  const [stack = stacks[0].id, kind = 'log', minutes = usualMinutes, asked = ''] = words
  if (kind === 'trace-id') return showTrace(place, stack, words[2] ?? '', words[3])
  const go = (to: { stack?: string; kind?: string; minutes?: string; where?: string }) =>
    pageAddress('search', to.stack ?? stack, to.kind ?? kind, to.minutes ?? minutes, to.where ?? field.value)
  const field = element('input', {
    type: 'search',
    'aria-label': 'Search',
    placeholder: kind === 'trace' ? 'Duration:>1000000000 ServiceName:web' : 'level:error service:payments "pool"',
    spellcheck: 'false',
  })
  field.value = asked
  const range = element('span.quiet.range')
  const histogram = element('div.histogram.panel')
  const said = element('p.quiet.count', { role: 'status' })
  const rows = element('ol.rows.panel.lined', { 'aria-label': 'Rows, the newest first' })
  const saved = element('p.saved')

  let until = ''
  const ask = (offset: number) => {
    const query = { minutes, where: field.value, limit: String(page), offset: String(offset) }
    return read<Found>(controlAddress(['found', stack, kind], { ...query, ...(offset > 0 && { until }) }))
  }
  const add = (found: readonly FoundRow[]) => {
    for (const row of found) rows.append(renderRow(row, stack))
    more.hidden = found.length < page
  }
  const showOlder = async () => {
    more.disabled = true
    add((await ask(rows.childElementCount)).rows)
    more.disabled = false
  }
  const more = button('Show older ones', showOlder, { hidden: true })
  const search = async () => {
    said.classList.remove('notice')
    try {
      const found = await ask(0)
      until = new Date(found.range.end).toISOString()
      range.textContent = tellRange(found.range)
      said.textContent = tellCount(found)
      fill(rows, [])
      add(found.rows)
      fill(histogram, found.rows.length > 0 && renderDrawing(found.drawing, stack))
    } catch (error) {
      if (!(error instanceof Declined)) throw error
      said.textContent = error.message
      said.classList.add('notice')
      fill(rows, [])
      fill(histogram, [])
      more.hidden = true
    }
  }
  const form = element('form.tools.search', { role: 'search' }, [field, element('button', 'Search')])
  form.addEventListener('submit', event => {
    event.preventDefault()
    // The address says what is shown; the field keeps the focus.
    history.replaceState(null, '', go({}))
    void search()
  })
  append(place, [
    element('h1', 'Search'),
    element('div.tools', [
      stackChoice(stacks, stack, id => go({ stack: id })),
      choice('In', kinds, kind, id => go({ kind: id, where: '' })),
      choice('Range', ranges, minutes, id => go({ minutes: id })),
      range,
    ]),
    form,
    saved,
    said,
    histogram,
    rows,
    more,
  ])
  const [searches] = await Promise.all([listSearches(stack), search()])
  const address = (kind: string, where: string) => go({ kind, where })
  const links = searches.map(({ name, kind, where }) =>
    element('a.badge.plain', { href: address(kind, where), title: where }, name),
  )
  if (links.length > 0) append(saved, ['Saved: ', links])
}

async function listSearches(stack: string) {
  const [{ records: searches }, sources] = await Promise.all([
    readRecords<SavedSearch>('savedSearch', stack, { limit: '20' }),
    listRecords<{ id: string; kind: string }>('sources', stack),
  ])
  return searches.flatMap(({ name, where, whereLanguage, sourceId }) => {
    const source = sources.find(({ id }) => id === sourceId)
    return source && whereLanguage === 'lucene' ? [{ name, where, kind: source.kind }] : []
  })
}

function tellCount({ rows, drawing }: Found): string {
  if (rows.length === 0) return 'Nothing in this range fits.'
  const all =
    drawing.as === 'bars'
      ? drawing.series.reduce((sum, { values }) => sum + values.reduce<number>((of, one) => of + (one ?? 0), 0), 0)
      : rows.length
  const count = Math.max(all, rows.length).toLocaleString('en')
  return rows.length < page ? `${count} found` : `${count} found, the newest first`
}
