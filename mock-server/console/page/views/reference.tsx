import { useEffect, useRef, useState } from 'preact/hooks'
import { pageAddress, readTarget } from '../control.ts'
import { SearchField, Tab, ViewWithoutData, wordsIn } from '../parts/elements.tsx'
import { type Description, type ListedOperation, operationsOf } from '../parts/openapi.ts'
import { useData } from '../reading.ts'
import { OperationView, type Preferences, toneOfMethod } from '../reference/operation.tsx'
import { usePage } from '../state.ts'

const forms = { cloud: 'Cloud and managed', 'self-hosted': 'Self-hosted' } as const
type Form = keyof typeof forms

/** The operations of an API, to read about and to send. In the address: the form and an operation. */
export function Reference({ segments: [formName, operationId] }: { readonly segments: readonly string[] }) {
  const page = usePage()
  const form: Form = formName === 'self-hosted' ? 'self-hosted' : 'cloud'
  const api = form === 'cloud' ? 'cloud' : 'selfHosted'
  const { data, error } = useData(
    async () => ({ description: await page.describe(api), target: await readTarget() }),
    [],
  )
  const [preferences, storePreferences] = useState<Preferences>({ ids: {}, language: 'curl' })
  const article = useRef<HTMLElement>(null)
  const groups = data ? listOperations(data.description) : []
  const listed = groups.flatMap(({ operations }) => operations).find(one => one.operation.operationId === operationId)
  useEffect(() => {
    if (!listed) return
    document.title = `${listed.operation.summary ?? 'Reference'} · stack-parity mock`
    if (article.current!.getBoundingClientRect().top < 0 || innerWidth < 960) scrollTo(0, 0)
  }, [operationId, data])
  if (!data) return <ViewWithoutData title="Reference" error={error} />
  const setPreferences = (change: Partial<Preferences>) => storePreferences({ ...preferences, ...change })
  return (
    <div class={listed ? 'reference has-operation' : 'reference'}>
      <Index form={form} groups={groups} chosen={operationId} />
      <article class="operation" ref={article}>
        <div class="stack">
          <a class="back" href={`#/reference/${form}`}>
            All operations
          </a>
          {listed ? (
            <OperationView key={operationId} {...{ api, ...data, listed, preferences, setPreferences }} />
          ) : (
            <Introduction {...{ form, groups, description: data.description, unknown: operationId }} />
          )}
        </div>
      </article>
    </div>
  )
}

/** The operations by group, with a search. The arrow keys move the focus. */
function Index({ form, groups, chosen }: { form: Form; groups: readonly Group[]; chosen: string | undefined }) {
  const [text, setText] = useState('')
  const nav = useRef<HTMLElement>(null)
  const words = wordsIn(text)
  const shown = groups
    .map(({ name, operations }) => ({ name, operations: operations.filter(one => matchesWords(one, name, words)) }))
    .filter(({ operations }) => operations.length > 0)
  const total = groups.reduce((sum, { operations }) => sum + operations.length, 0)
  const foundCount = shown.reduce((sum, { operations }) => sum + operations.length, 0)
  useEffect(() => nav.current!.querySelector('[aria-current]')?.scrollIntoView({ block: 'nearest' }), [])
  const moveFocus = (event: KeyboardEvent) => {
    const links = [...nav.current!.querySelectorAll('a')]
    const search = event.currentTarget instanceof HTMLElement && event.currentTarget.querySelector('input')
    const at = links.indexOf(document.activeElement as HTMLAnchorElement)
    if (event.key === 'Enter' && event.target === search) links[0]?.click()
    const next = { ArrowDown: at + 1, ArrowUp: at - 1 }[event.key]
    if (next === undefined) return
    event.preventDefault()
    if (next < 0 && search) search.focus()
    else links[next]?.focus()
  }
  return (
    <aside class="index" aria-label="Operations" onKeyDown={moveFocus}>
      <div class="head">
        <h1>Reference</h1>
        <nav class="tabs" aria-label="Forms">
          {Object.entries(forms).map(([key, title]) => (
            <Tab key={key} href={`#/reference/${key}`} isCurrent={key === form}>
              {title}
            </Tab>
          ))}
        </nav>
        <SearchField
          placeholder="Search operations  /"
          label="Search operations"
          aria-keyshortcuts="/"
          value={text}
          change={setText}
        />
        <output class="quiet">
          {words.length === 0
            ? ''
            : foundCount === 0
              ? 'No operation has all these words.'
              : `${foundCount} of ${total}`}
        </output>
      </div>
      <nav class="groups" aria-label="Operations" ref={nav}>
        {shown.map(({ name, operations }) => (
          <section key={name}>
            <h2 class="small">{name}</h2>
            <ul>
              {operations.map(one => (
                <li key={one.operation.operationId}>
                  <OperationLink listed={one} form={form} isChosen={one.operation.operationId === chosen} />
                </li>
              ))}
            </ul>
          </section>
        ))}
      </nav>
    </aside>
  )
}

interface LinkProps {
  readonly listed: ListedOperation
  readonly form: Form
  readonly isChosen: boolean
}

function OperationLink({ listed: { method, path, operation }, form, isChosen }: LinkProps) {
  const { operationId, summary = operationId } = operation
  return (
    <a
      class="quiet small"
      href={pageAddress('reference', form, operationId)}
      title={`${method.toUpperCase()} ${path}`}
      aria-current={isChosen ? 'true' : undefined}
    >
      <span class={`verb tiny ${toneOfMethod(method)}`}>{{ delete: 'DEL' }[method] ?? method.toUpperCase()}</span>
      <span class="cut">{summary}</span>
    </a>
  )
}

interface IntroductionProps {
  readonly form: Form
  readonly groups: readonly Group[]
  readonly description: Description
  readonly unknown: string | undefined
}

/** The page beside the list while no operation is chosen. */
function Introduction({ form, groups, description: { info }, unknown }: IntroductionProps) {
  const count = groups.reduce((sum, { operations }) => sum + operations.length, 0)
  const file = `/control/openapi/${form}.json`
  return (
    <div class="stack">
      {unknown !== undefined && <p class="notice">{`There is no operation ${unknown} here.`}</p>}
      <h2>{`${info.title}, version ${info.version}`}</h2>
      <p>
        {`${count} operations. Each is filled in with credentials and ids of this world: choose one, and send it. The mock answers it, changes its world, and keeps it in the journal.`}
      </p>
      <p>
        <a href={file} download={`${form}.json`}>{`Download ${form}.json`}</a> (OpenAPI 3.1, with the address of this
        mock), or give a tool its address: <code>{`${location.origin}${file}`}</code>
      </p>
      <ul class="chapters panel lined">
        {groups.map(({ name, operations }) => (
          <li key={name}>
            <a href={pageAddress('reference', form, operations[0]!.operation.operationId)}>{name}</a>
            <small>{` ${operations.length}`}</small>
            <p class="quiet">{[...new Set(operations.flatMap(one => one.operation.tags ?? []))].join(', ')}</p>
          </li>
        ))}
      </ul>
      <p class="quiet">
        <kbd>/</kbd> searches, <kbd>↑</kbd> <kbd>↓</kbd> choose, <kbd>Enter</kbd> opens and sends.
      </p>
    </div>
  )
}

interface Group {
  readonly name: string
  readonly operations: readonly ListedOperation[]
}

function listOperations(description: Description): readonly Group[] {
  const { tags, 'x-tagGroups': groups } = description
  const all = operationsOf(description)
  const named = groups ?? [{ name: 'Operations', tags: tags.map(({ name }) => name) }]
  return named.map(({ name, tags }) => ({
    name,
    operations: tags.flatMap(tag => all.filter(({ operation }) => operation.tags?.includes(tag))),
  }))
}

function matchesWords({ method, path, operation }: ListedOperation, group: string, words: readonly string[]): boolean {
  const { operationId, summary, tags } = operation
  const text = `${method} ${path} ${operationId} ${summary} ${tags} ${group}`.toLowerCase()
  return words.every(word => text.includes(word))
}
