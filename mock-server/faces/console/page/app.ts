import { Declined } from './ask.ts'
import { createDescribe, type Describe } from './change/operations.ts'
import { append, element, fill } from './element.ts'
import { createSay, type Say } from './parts.ts'
import { createPulse, type Pulse } from './pulse.ts'
import { showAlerts } from './views/alerts.ts'
import { showCalls } from './views/calls.ts'
import { showConformance } from './views/conformance.ts'
import { showDashboards } from './views/dashboards.ts'
import { showIncident } from './views/incident.ts'
import { showOverview } from './views/overview.ts'
import { showSearch } from './views/search.ts'
import { showServices } from './views/services.ts'
import { showTrouble } from './views/trouble.ts'
import { showWorld } from './views/world.ts'

/** What all views share. */
export interface Page {
  readonly pulse: Pulse
  readonly say: Say
  readonly describe: Describe
}

/** Shows itself in a place, for the words after its name in the address; lets go of everything when the signal says so. */
export type View = (
  place: HTMLElement,
  words: readonly string[],
  signal: AbortSignal,
  page: Page,
) => Promise<void> | void

/** The largest of them, loaded with the first look at it. */
const showLater: View = async (...about) => (await import('./views/reference.ts')).showReference(...about)

const views: Readonly<Record<string, { readonly title: string; readonly show: View }>> = {
  overview: { title: 'Overview', show: showOverview },
  calls: { title: 'Calls', show: showCalls },
  world: { title: 'World', show: showWorld },
  services: { title: 'Services', show: showServices },
  dashboards: { title: 'Dashboards', show: showDashboards },
  search: { title: 'Search', show: showSearch },
  alerts: { title: 'Alerts', show: showAlerts },
  incident: { title: 'Incident', show: showIncident },
  trouble: { title: 'Trouble', show: showTrouble },
  conformance: { title: 'Conformance', show: showConformance },
  reference: { title: 'Reference', show: showLater },
}

const links = Object.entries(views).map(([name, { title }]) => element('a', { href: `#/${name}` }, title))
const place = element('main', { id: 'main', tabindex: -1 })
const pulse = element('div.pulse')
const away = element('div.away', { role: 'alert' })
append(document.body, [
  element('a.skip', { href: '#main', onclick: skip }, 'Skip to the contents'),
  element('header.top', [
    element('a.mark', { href: '#/overview', 'aria-label': 'stack-parity mock' }, [element('i'), 'stack-parity']),
    element('nav', { 'aria-label': 'Pages' }, links),
    pulse,
  ]),
  away,
  place,
])

/** Shows the view that the address names, in the place of the one before. */
function createNavigation(page: Page): () => Promise<void> {
  let leave = new AbortController()
  let shown = ''
  return async () => {
    leave.abort()
    leave = new AbortController()
    const { signal } = leave
    const [name = '', ...words] = location.hash.slice(2).split('/').map(decode)
    const view = Object.hasOwn(views, name) ? name : 'overview'
    const { title, show } = views[view]!
    document.title = `${title} · stack-parity mock`
    for (const link of links) {
      const isHere = link.getAttribute('href') === `#/${view}`
      if (isHere) link.setAttribute('aria-current', 'page')
      else link.removeAttribute('aria-current')
      if (isHere) link.scrollIntoView({ block: 'nearest', inline: 'center' })
    }
    // Until the new page is drawn, the old one stands there, and says that it is no longer what the address names.
    place.ariaBusy = 'true'
    const fresh = element('div.view')
    try {
      await show(fresh, words, signal, page)
    } catch (error) {
      append(fresh, [element('p.notice', { role: 'alert' }, (error as Error).message)])
    }
    if (!signal.aborted) {
      fill(place, fresh)
      place.ariaBusy = 'false'
      if (view !== shown) scrollTo(0, 0)
      fresh.querySelector('.tabs [aria-current]')?.scrollIntoView({ block: 'nearest', inline: 'center' })
      // A screen reader goes on from the new page; at the first one it starts at the top.
      if (shown && view !== shown) place.focus({ preventScroll: true })
      shown = view
    }
  }
}

function skip(event: Event) {
  event.preventDefault()
  place.focus()
}

/** A slash leads to the search of a view, where it has one. */
function startSearch(event: KeyboardEvent) {
  const isWriting = (event.target as Element).closest('input, textarea, select, dialog')
  if (event.key !== '/' || isWriting || event.ctrlKey || event.metaKey || event.altKey) return
  const search = place.querySelector<HTMLInputElement>('input[type="search"]')
  if (!search) return
  event.preventDefault()
  search.focus()
  search.select()
}

/** Whatever was tried and declined is said, unless who tried it says it otherwise. */
function sayDeclined(event: PromiseRejectionEvent, say: Say) {
  if (!(event.reason instanceof Declined)) return
  event.preventDefault()
  say(event.reason.message)
}

function decode(word: string): string {
  try {
    return decodeURIComponent(word)
  } catch {
    return word
  }
}

const say = createSay()
const navigate: () => Promise<void> = createNavigation({
  pulse: createPulse(pulse, away, () => navigate()),
  say,
  describe: createDescribe(),
})
addEventListener('keydown', startSearch)
addEventListener('unhandledrejection', event => sayDeclined(event, say))
// Charts are drawn in the colours of one scheme; what else there is may have been typed into.
matchMedia('(prefers-color-scheme: dark)').addEventListener('change', () => place.querySelector('.uplot') && navigate())
addEventListener('hashchange', navigate)
void navigate()
