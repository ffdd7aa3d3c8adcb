import { readTarget } from '../about.ts'
import type { View } from '../app.ts'
import { pageAddress, read } from '../ask.ts'
import { append, element, fill } from '../element.ts'
import type { Description } from '../openapi.ts'
import { wordsIn } from '../parts.ts'
import { type Group, isFound, type ListedOperation, listOperations } from '../reference/list-operations.ts'
import { type Reference, showOperation } from '../reference/operation.ts'

const forms = { cloud: 'Cloud and managed', 'self-hosted': 'Self-hosted' } as const

/** The descriptions that machines read, for people, who try what is described. In the address: the form and an operation. */
export const showReference: View = async (place, [wanted = 'cloud', operationId]) => {
  const form = wanted === 'self-hosted' ? 'self-hosted' : 'cloud'
  const [description, target] = await Promise.all([read<Description>(`/control/openapi/${form}.json`), readTarget()])
  const reference: Reference = {
    api: form === 'cloud' ? 'cloud' : 'selfHosted',
    ...{ description, target },
    kept: { ids: {}, language: 'curl' },
  }
  const groups = listOperations(description)
  const article = element('article.operation')
  const root = element('div.reference')
  const links = new Map<string, HTMLAnchorElement>()

  const show = async (id: string | undefined) => {
    const listed = groups.flatMap(({ operations }) => operations).find(one => one.operation.operationId === id)
    for (const [other, link] of links) {
      if (other === id) link.setAttribute('aria-current', 'page')
      else link.removeAttribute('aria-current')
    }
    document.title = `${listed?.operation.summary ?? 'Reference'} · stack-parity mock`
    root.classList.toggle('has-operation', listed !== undefined)
    const fresh = element('div.view')
    append(fresh, [element('a.back', { href: `#/reference/${form}` }, 'All operations')])
    if (listed) await showOperation(fresh, listed, reference)
    else append(fresh, [about(form, description, groups, id)])
    fill(article, fresh)
  }

  /** Goes on without drawing the list anew; the address is one that opens the same again. */
  const follow = async (event: Event, id: string) => {
    const { ctrlKey, metaKey, shiftKey } = event as MouseEvent
    if (ctrlKey || metaKey || shiftKey) return
    event.preventDefault()
    history.pushState(null, '', pageAddress('reference', form, id))
    await show(id)
    // A click has coordinates, Enter has none: then Enter sends next.
    if ((event as MouseEvent).detail === 0)
      article.querySelector<HTMLElement>('[type="submit"]')?.focus({ preventScroll: true })
    if (root.getBoundingClientRect().top < 0 || innerWidth < 960) scrollTo(0, 0)
  }
  const index = listIndex(form, groups, links, follow)

  append(root, [index, article])
  append(place, [root])
  await show(operationId)
  if (operationId !== undefined)
    requestAnimationFrame(() => links.get(operationId)?.scrollIntoView({ block: 'nearest' }))
}

function listIndex(
  form: keyof typeof forms,
  groups: readonly Group[],
  links: Map<string, HTMLAnchorElement>,
  follow: (event: Event, id: string) => Promise<void>,
) {
  const search = element('input', {
    type: 'search',
    placeholder: 'Search operations  /',
    'aria-label': 'Search operations',
    'aria-keyshortcuts': '/',
  })
  const said = element('p.quiet', { role: 'status' })
  const sections = groups.map(({ name, operations }) => {
    const items = operations.map(listed => ({ listed, item: element('li', createLink(listed)) }))
    const root = element('section', [element('h2', name), element('ul', [items.map(({ item }) => item)])])
    return { name, root, items }
  })

  function createLink({ method, path, operation }: ListedOperation) {
    const { operationId, summary = operationId } = operation
    const short = { delete: 'DEL', patch: 'PATCH' }[method] ?? method.toUpperCase()
    const link = element(
      'a',
      {
        href: pageAddress('reference', form, operationId),
        title: `${method.toUpperCase()} ${path}`,
        onclick: (event: Event) => follow(event, operationId),
      },
      [element('span', { class: `verb ${method}` }, short), element('span.says', summary)],
    )
    links.set(operationId, link)
    return link
  }

  const find = () => {
    const words = wordsIn(search.value)
    let found = 0
    for (const { name, root, items } of sections) {
      for (const { listed, item } of items) {
        item.hidden = !isFound(listed, name, words)
        if (!item.hidden) found += 1
      }
      root.hidden = items.every(({ item }) => item.hidden)
    }
    said.textContent = words.length === 0 ? '' : found === 0 ? 'Nothing is called so.' : `${found} of ${links.size}`
  }
  search.addEventListener('input', find)

  const index = element('aside.index', { 'aria-label': 'Operations' }, [
    element('div.head', [
      element('h1', 'Reference'),
      element('nav.tabs', { 'aria-label': 'Forms' }, [
        Object.entries(forms).map(([key, title]) =>
          element('a', { href: `#/reference/${key}`, 'aria-current': key === form && 'true' }, title),
        ),
      ]),
      search,
      said,
    ]),
    element('nav.groups', { 'aria-label': 'Operations' }, [sections.map(({ root }) => root)]),
  ])
  index.addEventListener('keydown', event => {
    const shown = [...links.values()].filter(link => link.offsetParent !== null)
    const at = shown.indexOf(document.activeElement as HTMLAnchorElement)
    if (event.key === 'Enter' && event.target === search) shown[0]?.click()
    const next = { ArrowDown: at + 1, ArrowUp: at - 1 }[event.key]
    if (next === undefined) return
    event.preventDefault()
    if (next < 0) search.focus()
    else shown[next]?.focus()
  })
  return index
}

/** What stands beside the list while no operation is chosen. */
function about(
  form: keyof typeof forms,
  { info }: Description,
  groups: readonly Group[],
  unknown?: string,
): HTMLElement {
  const count = groups.reduce((sum, { operations }) => sum + operations.length, 0)
  const file = `/control/openapi/${form}.json`
  return element('div.stack', [
    unknown !== undefined && element('p.notice', `There is no operation ${unknown} here.`),
    element('h2', `${info.title}, version ${info.version}`),
    element('p', [
      `${count} operations. Each is filled in with credentials and ids of this world: choose one, and send it. The call goes to the mock, changes its world, and stands in the journal.`,
    ]),
    element('p', [
      element('a', { href: file, download: `${form}.json` }, `Download ${form}.json`),
      ' (OpenAPI 3.1, with the address of this mock), or give a tool its address: ',
      element('code', `${location.origin}${file}`),
    ]),
    element('ul.chapters.panel.lined', [
      groups.map(({ name, operations }) =>
        element('li', [
          element('a', { href: pageAddress('reference', form, operations[0]!.operation.operationId) }, name),
          element('small', ` ${operations.length}`),
          element('p.quiet', [...new Set(operations.flatMap(one => one.operation.tags ?? []))].join(', ')),
        ]),
      ),
    ]),
    element('p.quiet', [
      element('kbd', '/'),
      ' searches, ',
      element('kbd', '↑'),
      ' ',
      element('kbd', '↓'),
      ' choose, ',
      element('kbd', 'Enter'),
      ' opens and sends.',
    ]),
  ])
}
