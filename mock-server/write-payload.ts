import type { AlertEvent, Delivery } from './core/mock.ts'

/** The text that is sent to a webhook; a template that cannot be read or filled in is thrown as an Error with its place. */
export async function writePayload(delivery: Delivery): Promise<string> {
  const fill = await loadTemplates()
  const event = delivery.event(fill)
  const { service, body } = delivery.webhook
  if (service === 'slack') return writeSlack(event)
  return body ? fill(body, escapeAll(event)) : writeDefault(event)
}

type Fill = (template: string, values: object) => string

let loading: Promise<Fill> | undefined

/** Handlebars is read when something is delivered for the first time: most mocks never deliver anything. */
function loadTemplates(): Promise<Fill> {
  loading ??= import('handlebars').then(({ default: library }) => {
    const handlebars = library.create()
    // Templates come from callers: nothing of theirs is printed, and prototypes are out of their reach by default.
    handlebars.unregisterHelper('log')
    handlebars.registerHelper('eq', eq)
    return (template, values) => handlebars.compile(template, { noEscape: true })(values)
  })
  return loading
}

interface Block {
  readonly fn?: (values: unknown) => string
  readonly inverse?: (values: unknown) => string
}

/** Both `{{#if (eq state "OK")}}` and `{{#eq state "OK"}}`. */
function eq(this: unknown, one: unknown, other: unknown, { fn, inverse }: Block) {
  if (!fn) return one === other
  return one === other ? fn(this) : inverse?.(this)
}

/** Texts as they stand between the quotes of a JSON string; times stay numbers. */
function escapeAll(event: AlertEvent): object {
  const escaped = Object.entries(event).map(([name, value]) => [
    name,
    typeof value === 'string' ? JSON.stringify(value).slice(1, -1) : value,
  ])
  return Object.fromEntries(escaped)
}

function writeSlack({ title, body, link }: AlertEvent): string {
  const text = `*<${link} | ${title}>*\n${body}`
  return JSON.stringify({ text: title, blocks: [{ type: 'section', text: { type: 'mrkdwn', text } }] })
}

function writeDefault({ title, body, link, state, startTime, endTime, eventId }: AlertEvent): string {
  return JSON.stringify({ text: [title, body, link, state, startTime, endTime, eventId].join(' | ') })
}
