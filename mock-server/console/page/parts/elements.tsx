import type { ComponentChild, ComponentChildren, JSX } from 'preact'
import { useEffect, useId, useLayoutEffect, useRef, useState } from 'preact/hooks'
import { readJson } from './read-json.ts'

type ButtonProps = Omit<JSX.IntrinsicElements['button'], 'onClick' | 'disabled'>

/** A button that submits no form. An error that `onClick` throws is shown at the foot of the page. */
export const Button = ({ onClick, ...props }: ButtonProps & { readonly onClick: () => unknown }) => (
  <button type="button" onClick={() => void onClick()} {...props} />
)

interface BlockableProps extends ButtonProps {
  readonly onClick: () => unknown
  /** Why it does nothing now, which it shows on hover and focus; empty if it can be pressed. */
  readonly whyNot: string
}

/** A button that can be blocked. It stays in the order of the keyboard, unlike a disabled one, so that its reason can be read. */
export function BlockableButton({ whyNot, onClick, ...props }: BlockableProps) {
  const id = useId()
  const state = whyNot === '' ? {} : ({ 'aria-disabled': true, 'aria-describedby': id } as const)
  return (
    <span class="explained">
      <Button onClick={() => whyNot === '' && onClick()} {...props} {...state} />
      {whyNot !== '' && <Explanation id={id}>{whyNot}</Explanation>}
    </span>
  )
}

/** A text that appears while its `.explained` parent has the pointer or the focus, or a closed summary around it the focus. */
export const Explanation = ({ id, children }: { readonly id?: string; readonly children: ComponentChildren }) => (
  <span class="explanation small" role="tooltip" id={id}>
    {children}
  </span>
)

interface SwitchesProps<Name extends string> {
  readonly label: string
  readonly names: readonly Name[]
  readonly pressed: Name
  readonly choose: (name: Name) => unknown
  readonly class?: string
}

/** A group of buttons, one of which is pressed. */
export const Switches = <Name extends string>({ label, names, pressed, choose, ...props }: SwitchesProps<Name>) => (
  // biome-ignore lint/a11y/useSemanticElements: a fieldset would be drawn around the buttons
  <span class="row" role="group" aria-label={label}>
    {names.map(name => (
      <Button key={name} onClick={() => choose(name)} aria-pressed={name === pressed} {...props}>
        {name}
      </Button>
    ))}
  </span>
)

export type Pairs = readonly (readonly [name: string, value: ComponentChild])[]

export const Definitions = ({ pairs, class: className }: { readonly pairs: Pairs; readonly class?: string }) => (
  <dl class={className}>
    {pairs.map(([name, value]) => (
      <div key={name}>
        <dt>{name}</dt>
        <dd>{value}</dd>
      </div>
    ))}
  </dl>
)

/** The words of a search, in lower case. */
export const wordsIn = (text: string): readonly string[] => text.toLowerCase().split(/\s+/).filter(Boolean)

/** `1 call`, `1,200 calls`. */
export const formatCount = (number: number, one: string): string =>
  `${number.toLocaleString('en')} ${number === 1 ? one : `${one}s`}`

/** A button that copies a text, and shows whether that was allowed. */
export function CopyButton({ text, label = 'Copy' }: { text: string | (() => string); label?: string }) {
  const [shown, setShown] = useState(label)
  const act = async () => {
    setShown((await copy(typeof text === 'string' ? text : text())) ? 'Copied' : 'Not allowed')
    setTimeout(() => setShown(label), 1500)
  }
  return (
    <Button onClick={act} class="copy" aria-live="polite">
      {shown}
    </Button>
  )
}

async function copy(text: string): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text)
    return true
  } catch {
    // A page without https has no clipboard, except on loopback.
    const area = document.createElement('textarea')
    area.className = 'offscreen'
    area.value = text
    document.body.append(area)
    area.select()
    const isCopied = document.execCommand('copy')
    area.remove()
    return isCopied
  }
}

/** Text in fixed width. With a label, it can be scrolled by the keyboard, which a long text needs. */
export const Preformatted = ({ label, children }: { label?: string | undefined; children: ComponentChildren }) =>
  label === undefined ? (
    <pre>{children}</pre>
  ) : (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls has to be reached by the keyboard
    // biome-ignore lint/a11y/useSemanticElements: it is a text, and keeps its line breaks
    <pre role="region" aria-label={label} tabIndex={0}>
      {children}
    </pre>
  )

export const Code = ({ text, label, copied = text }: { text: ComponentChild; label?: string; copied?: unknown }) => (
  <div class="code">
    <Preformatted label={label}>{text}</Preformatted>
    <CopyButton text={String(copied)} />
  </div>
)

/** A body: JSON indented and in colours, other text unchanged. */
export function Body({ text, label = 'body' }: { readonly text: string; readonly label?: string }) {
  if (text === '') return <p class="quiet">No body.</p>
  const json = readJson(text)
  if (!json) return <Code label={label} text={text} />
  const indented = JSON.stringify(json.value, null, 2)
  return <Code label={label} text={highlightJson(indented)} copied={indented} />
}

const jsonTokens = /("(?:[^"\\]|\\.)*")(\s*:)?|\b(?:true|false|null)\b|-?\d+(?:\.\d+)?(?:e[+-]?\d+)?/gi

/** JSON as text and coloured spans. */
export function highlightJson(json: string): ComponentChild[] {
  const nodes: ComponentChild[] = []
  let position = 0
  for (const match of json.matchAll(jsonTokens)) {
    const [token, text, colon] = match
    const kind = text === undefined ? 'number' : colon === undefined ? 'text' : 'key'
    nodes.push(json.slice(position, match.index), <span class={`json-${kind}`}>{text ?? token}</span>, colon ?? '')
    position = match.index + token.length
  }
  return [...nodes, json.slice(position)]
}

const tones: Readonly<Record<string, string>> = {
  running: 'good',
  done: 'good',
  OK: 'good',
  enabled: 'good',
  idle: 'idle',
  stopped: 'plain',
  failed: 'bad',
  error: 'bad',
  ALERT: 'bad',
  degraded: 'warn',
  partially_running: 'warn',
  PENDING: 'warn',
}

/** The tone of a state of a service, backup, key or alert; `defaultTone` for a state that is not listed. */
export const toneOfState = (state: string, defaultTone: string): string => tones[state] ?? defaultTone

/** A word in a frame. Its tone is a class of the style, which decides the colour. */
export const Badge = ({ tone = '', children }: { tone?: string; children: ComponentChildren }) => (
  <span class={`badge ${tone}`}>{children}</span>
)

interface BadgesProps {
  readonly texts: readonly string[]
  readonly tone: string
  /** The badge and the sentence that are shown when there are no texts. */
  readonly whenEmpty: readonly [badge: string, sentence: string]
}

export const Badges = ({ texts, tone, whenEmpty: [badge, sentence] }: BadgesProps) => (
  <output class="row">
    {texts.map(text => (
      <Badge key={text} tone={tone}>
        {text}
      </Badge>
    ))}
    {texts.length === 0 && [<Badge tone="plain">{badge}</Badge>, ' ', sentence]}
  </output>
)

interface ToggleProps {
  readonly isOn: boolean
  /** If it throws, the switch is reset. */
  readonly change: (isOn: boolean) => unknown
  /** Green instead of red when it is on. */
  readonly isHarmless?: boolean
  readonly children: ComponentChildren
}

export function Toggle({ isOn, change, isHarmless, children }: ToggleProps) {
  const [shown, setShown] = useState(isOn)
  useLayoutEffect(() => setShown(isOn), [isOn])
  const toggle = async () => {
    setShown(!shown)
    try {
      await change(!shown)
    } catch (error) {
      setShown(shown)
      throw error
    }
  }
  return (
    <label class="toggle">
      <input
        type="checkbox"
        role="switch"
        aria-checked={shown}
        class={isHarmless ? 'switch harmless' : 'switch'}
        checked={shown}
        onChange={() => void toggle()}
      />
      <span>{children}</span>
    </label>
  )
}

export function Card({ title, children }: { readonly title: ComponentChild; readonly children: ComponentChildren }) {
  const id = useId()
  return (
    <section class="card" aria-labelledby={id}>
      <h2 id={id}>{title}</h2>
      {children}
    </section>
  )
}

type Rows = readonly (readonly ComponentChild[])[]

/** A table that scrolls when it is wider than the page. */
export const Table = ({ label, columns, rows }: { label: string; columns: readonly string[]; rows: Rows }) => (
  // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls has to be reached by the keyboard
  <section class="scroll panel" aria-label={label} tabIndex={0}>
    <table>
      <thead class="quiet small">
        <tr>
          {columns.map(column => (
            <th key={column} scope="col">
              {column}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {rows.map((row, at) => (
          <tr key={at}>
            {row.map((cell, column) => (
              <td key={column}>{cell}</td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  </section>
)

type Options = readonly (readonly [value: string, label: string])[]

interface SelectProps extends Omit<JSX.IntrinsicElements['select'], 'value' | 'onChange'> {
  readonly options: Options
  readonly value: string
  readonly choose: (value: string) => unknown
}

export const Select = ({ options, value, choose, ...props }: SelectProps) => (
  <select value={value} onChange={event => void choose(event.currentTarget.value)} {...(props as object)}>
    {options.map(([key, label]) => (
      <option key={key} value={key}>
        {label}
      </option>
    ))}
  </select>
)

export const Labelled = ({ label, children }: { label: string; children: ComponentChild }) => (
  // biome-ignore lint/a11y/noLabelWithoutControl: the control is a child
  <label class="labelled">
    {label}
    {children}
  </label>
)

export const LabelledSelect = ({ label, ...props }: SelectProps & { readonly label: string }) => (
  <Labelled label={label}>
    <Select {...props} />
  </Labelled>
)

interface TabProps {
  readonly href: string
  readonly isCurrent: boolean
  readonly children: string
}

/** A link of `.tabs`. The current one is scrolled into view; a long name is cut, and has its whole text as the title. */
export function Tab({ href, isCurrent, children }: TabProps) {
  const link = useRef<HTMLAnchorElement>(null)
  useEffect(() => {
    if (isCurrent) link.current!.scrollIntoView({ block: 'nearest', inline: 'center' })
  }, [isCurrent])
  return (
    <a href={href} class="cut" title={children} ref={link} aria-current={isCurrent ? 'true' : undefined}>
      {children}
    </a>
  )
}

interface ProgramProps {
  readonly title: string
  readonly text: string
  readonly level?: 'h2' | 'h3'
}

/** A program that can be copied. Its lines are not broken, but can be scrolled. */
export const Program = ({ title, text, level: Heading = 'h3' }: ProgramProps) => (
  <div class="program">
    <div class="row spread">
      <Heading>{title}</Heading>
      <CopyButton text={text} />
    </div>
    <Preformatted label={title}>{text}</Preformatted>
  </div>
)

/** A select that opens another address of the page. */
export const NavigationSelect = ({
  address,
  ...props
}: Omit<Parameters<typeof LabelledSelect>[0], 'choose'> & { address: (value: string) => string }) => (
  <LabelledSelect {...props} choose={value => location.assign(address(value))} />
)

export const optionsOf = (records: readonly { readonly id: string; readonly name?: unknown }[]): Options =>
  records.map(({ id, name }) => [id, String(name)])

interface LazyDetailsProps {
  readonly summary: ComponentChildren
  readonly class?: string
  readonly isOpen?: boolean
  /** Called only while the details are open. */
  readonly children: () => ComponentChild
}

/** Details that are rendered when they are opened. */
export function LazyDetails({ summary, isOpen = false, children, ...props }: LazyDetailsProps) {
  const [shown, setShown] = useState(isOpen)
  return (
    <details
      open={shown}
      onToggle={event => event.target === event.currentTarget && setShown(event.currentTarget.open)}
      {...props}
    >
      <summary>{summary}</summary>
      {shown && children()}
    </details>
  )
}

interface InputProps extends Omit<JSX.IntrinsicElements['input'], 'value' | 'onInput'> {
  readonly value: string
  readonly change: (value: string) => unknown
}

/** A field of any type, with its value as text. */
export const Input = ({ change, ...props }: InputProps) => (
  <input onInput={event => void change(event.currentTarget.value)} {...(props as object)} />
)

/** A field for the id of an operation, which suggests the ids. */
export const OperationInput = ({ operations, ...props }: InputProps & { readonly operations: readonly string[] }) => (
  <>
    <Input {...props} {...{ list: 'operations', spellcheck: false, autoComplete: 'off' }} aria-label="Operation" />
    <datalist id="operations">
      {operations.map(one => (
        <option key={one} value={one} />
      ))}
    </datalist>
  </>
)

export const LabelledInput = ({ label, ...props }: InputProps & { readonly label: string }) => (
  <Labelled label={label}>
    <Input {...props} />
  </Labelled>
)

export const SearchField = ({ label = 'Search', ...props }: InputProps & { readonly label?: string }) => (
  <Input type="search" aria-label={label} {...props} />
)

type FormProps = Omit<JSX.IntrinsicElements['form'], 'onSubmit'> & { readonly submit: () => unknown }

/** A form that calls `submit` instead of loading a page. */
export const Form = ({ submit, ...props }: FormProps) => (
  <form
    onSubmit={event => {
      event.preventDefault()
      void submit()
    }}
    {...(props as object)}
  />
)

export const Failure = ({ error }: { readonly error: string | undefined }) =>
  error === undefined ? null : (
    <p class="notice" role="alert" tabIndex={-1}>
      {error}
    </p>
  )

/** Shown instead of data that is being read. It appears after a moment, because most data comes at once. */
export const Waiting = () => (
  <p class="waiting quiet">
    <i />
    Reading …
  </p>
)

interface WithoutData {
  readonly title?: string | undefined
  readonly error: string | undefined
}

/** The heading of a view that has no data yet; that it is being read, or why there is none. */
export const ViewWithoutData = ({ title, error }: WithoutData) => (
  <>
    {title !== undefined && <h1>{title}</h1>}
    {error === undefined ? <Waiting /> : <Failure error={error} />}
  </>
)
