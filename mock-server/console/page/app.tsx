import './language.ts'
import { type ComponentType, render } from 'preact'
import { useEffect, useErrorBoundary, useLayoutEffect, useRef } from 'preact/hooks'
import { addressOfWorld, worldId } from './control.ts'
import { toLocal } from './moments.ts'
import { DialogHost } from './parts/dialog.tsx'
import { Badge, Failure, Select } from './parts/elements.tsx'
import { lazy, useTick } from './reading.ts'
import { createPage, describeDisturbances, PageContext, usePage } from './state.ts'
import { Calls } from './views/calls.tsx'
import { Overview } from './views/overview.tsx'

/** A view gets the segments of the address that follow its name. */
type View = ComponentType<{ readonly segments: readonly string[] }>

interface NamedView {
  readonly title: string
  readonly View: View
}

const loaded = (title: string, load: () => Promise<View>): NamedView => ({ title, View: lazy(load, title) })

/** The views except the first two are loaded when they are opened. */
const views: Readonly<Record<string, NamedView>> = {
  overview: { title: 'Overview', View: Overview },
  calls: { title: 'Calls', View: Calls },
  stubs: loaded('Stubs', async () => (await import('./views/stubs.tsx')).Stubs),
  world: loaded('Records', async () => (await import('./views/world.tsx')).World),
  services: loaded('Services', async () => (await import('./views/services.tsx')).Services),
  dashboards: loaded('Dashboards', async () => (await import('./views/dashboards.tsx')).Dashboards),
  search: loaded('Search', async () => (await import('./views/search.tsx')).Search),
  alerts: loaded('Alerts', async () => (await import('./views/alerts.tsx')).Alerts),
  incident: loaded('Incident', async () => (await import('./views/incident.tsx')).IncidentView),
  faults: loaded('Faults', async () => (await import('./views/faults.tsx')).Faults),
  worlds: loaded('Worlds', async () => (await import('./views/worlds.tsx')).Worlds),
  conformance: loaded('Conformance', async () => (await import('./views/conformance.tsx')).Conformance),
  reference: loaded('Reference', async () => (await import('./views/reference.tsx')).Reference),
}

function App() {
  const page = usePage()
  const { view, segments } = page.address.value
  const available = Object.keys(views).filter(key => page.views.value === 'all' || page.views.value?.includes(key))
  const name = available.includes(view) ? view : (available[0] ?? 'overview')
  const { title, View } = views[name]!
  const main = useRef<HTMLElement>(null)
  const isFirstRender = useRef(true)
  // The links exist once the available views are known.
  useEffect(() => {
    document.querySelector('.top [aria-current]')?.scrollIntoView({ block: 'nearest', inline: 'center' })
  }, [page.address.value, available.length])
  useEffect(page.close, [page.address.value])
  useLayoutEffect(() => {
    document.title = `${title} · stack-parity ${page.isProxy() ? 'proxy' : 'mock'}`
    if (isFirstRender.current) isFirstRender.current = false
    else {
      scrollTo(0, 0)
      // A screen reader continues at the new view; on a page that was just loaded, it starts at the top.
      main.current?.focus({ preventScroll: true })
    }
  }, [name])
  // The reference keeps its list from one operation to the next.
  const key = `${page.reconnections.value} ${name} ${(name === 'reference' ? segments.slice(0, 1) : segments).join('/')}`
  return (
    <div class={page.outage.value ? 'is-offline' : ''}>
      {/* biome-ignore lint/a11y/useValidAnchor: it is a link within the page */}
      <a
        class="skip"
        href="#main"
        onClick={event => {
          event.preventDefault()
          main.current?.focus()
        }}
      >
        Skip to the contents
      </a>
      <header class="top">
        <a class="mark" href="#/overview" aria-label="stack-parity mock">
          <i />
          stack-parity
        </a>
        <nav aria-label="Pages">
          {available.map(key => (
            <a key={key} href={`#/${key}`} aria-current={key === name ? 'page' : undefined}>
              {views[key]!.title}
            </a>
          ))}
        </nav>
        <WorldSelect view={name} />
        <StatusIndicators />
      </header>
      <div class="outage" role="alert">
        {page.outage.value && (
          <>
            <b>{page.outage.value}</b> The contents below may be old. This page continues by itself when the mock is
            back.
          </>
        )}
      </div>
      <main id="main" tabIndex={-1} ref={main} aria-busy={page.pending.value > 0 || available.length === 0}>
        <div class="stack view" key={key}>
          <ErrorBoundary>{available.length > 0 && <View segments={segments} />}</ErrorBoundary>
        </div>
      </main>
      <DialogHost />
      <output id="said" class={page.notice.value ? 'shown' : ''}>
        {page.notice.value}
      </output>
    </div>
  )
}

function ErrorBoundary({ children }: { readonly children: preact.ComponentChildren }) {
  const [error] = useErrorBoundary()
  if (!error) return <>{children}</>
  return (
    <>
      <h1>This view failed</h1>
      <Failure error={String(error)} />
    </>
  )
}

/** Selects the world that the console shows, where there is more than one. */
function WorldSelect({ view }: { readonly view: string }) {
  const worlds = usePage().worlds.value
  if (worlds.length === 0 && worldId === '') return null
  const options = worlds.map(({ id, name = id }) => [id, name] as const)
  const isGone = worldId !== '' && options.every(([id]) => id !== worldId)
  return (
    <Select
      aria-label="World"
      title={worldId || 'First world'}
      options={[['', 'First world'], ...options, ...(isGone ? [[worldId, worldId] as const] : [])]}
      value={worldId}
      choose={id => location.assign(addressOfWorld(id, view))}
    />
  )
}

function StatusIndicators() {
  const page = usePage()
  useTick(1000)
  if (!page.status.value || page.outage.value) return <div class="indicators" />
  const time = new Date(page.now()).toISOString().slice(0, 19)
  return (
    <div class="indicators small">
      {describeDisturbances(page.status.value).map(note => (
        <a key={note} href="#/faults">
          <Badge tone="warn">{note}</Badge>
        </a>
      ))}
      <time dateTime={`${time}Z`} title={`The clock of the mock; here it is ${toLocal(page.now())}`}>
        <span class="date">{`${time.slice(0, 10)} `}</span>
        {`${time.slice(11)} UTC`}
      </time>
    </div>
  )
}

/** Moves the focus to the search field of the view when a slash is typed. */
function focusSearch(event: KeyboardEvent) {
  const isWriting = (event.target as Element).closest('input, textarea, select, dialog')
  if (event.key !== '/' || isWriting || event.ctrlKey || event.metaKey || event.altKey) return
  const search = document.querySelector<HTMLInputElement>('main input[type="search"]')
  if (!search) return
  event.preventDefault()
  search.focus()
  search.select()
}

addEventListener('keydown', focusSearch)
render(
  <PageContext.Provider value={createPage()}>
    <App />
  </PageContext.Provider>,
  document.body,
)
