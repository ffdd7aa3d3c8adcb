import type Handlebars from 'handlebars'
import type { AlertEvent, AlertNotification, Fill, Mention, Webhook } from '../../mock/mock.ts'
import { mentionHelper } from '../../words/notification.ts'

/** Fills in the templates of alerts and webhooks. */
export interface PayloadWriter {
  /** Rejects with the reason if name or message of the alert cannot be filled in. */
  writeEvent(notification: AlertNotification): Promise<ReturnType<AlertNotification['renderEvent']>>
  /** Rejects with the reason if the body of the webhook cannot be filled in, or is missing. */
  writeBody(webhook: Webhook, event: AlertEvent, notification: AlertNotification): Promise<string>
}

export function createPayloadWriter(): PayloadWriter {
  // Loaded by the first delivery: most mocks never deliver anything.
  let loading: Promise<Templates> | undefined
  const load = () => {
    loading ??= import('handlebars').then(({ default: library }) => createTemplates(library))
    return loading
  }
  return {
    async writeEvent(notification) {
      const [templates, samples] = [await load(), await notification.readSamples()]
      return notification.renderEvent(templates.fillText, samples)
    },
    async writeBody(webhook, event, notification) {
      const { edition } = notification
      if (webhook.service === 'slack') return refuseLength(writeSlack(event, edition))
      // The older edition has no body of its own.
      const body = webhook.body ?? (edition === '2.24' ? undefined : defaultBody)
      if (body === undefined) throw new Error('the webhook has no body, and this edition has no default')
      return (await load()).fillBody(body, escapeAll({ ...event, eventId: notification.eventId(webhook) }))
    },
  }
}

const defaultBody =
  '{"text": "{{title}} | {{body}} | {{link}} | {{state}} | {{startTime}} | {{endTime}} | {{eventId}}"}'

const maxCharacters = 1024 * 1024
/** The limit of the API. */
const maxTemplateLength = 16 * 1024
const maxIterations = 1000
const maxNested = 20

interface Templates {
  /** Fills in names and messages, and escapes values for HTML. */
  readonly fillText: Fill
  /** Fills in bodies of webhooks. */
  fillBody(template: string, values: object): string
}

/** Limits the templates of clients: no logging, no prototypes, and no nested loops that block the process. */
function createTemplates(library: typeof Handlebars): Templates {
  const handlebars = library.create()
  let iterations = 0
  let characters = 0
  const { each } = handlebars.helpers as { each: Each }
  handlebars.registerHelper('log', () => '')
  handlebars.registerHelper('each', function (this: unknown, values: unknown, block: Block) {
    const fn = (...item: [unknown]) => {
      if (++iterations > maxIterations) throw new Error(`its loops run more than ${maxIterations} times`)
      const text = block.fn!(...item)
      characters += text.length
      if (characters > maxCharacters) throw new Error(tooLong)
      return text
    }
    return each.call(this, values, block?.fn ? { ...block, fn } : block)
  })
  function fill(template: string, values: object, noEscape: boolean, helpers: Helpers): string {
    if (template.length > maxTemplateLength) throw new Error(`it is longer than ${maxTemplateLength} characters`)
    const parsed = handlebars.parse(template)
    refuseDepth(parsed)
    iterations = 0
    characters = 0
    return refuseLength(handlebars.compile(parsed, { noEscape })(values, { helpers }))
  }
  return {
    fillText: (template, values, onMention) =>
      fill(template, values, false, onMention ? helpersOfMessages(values, onMention) : { eq }),
    fillBody: (template, values) => fill(template, values, true, { eq }),
  }
}

// biome-ignore lint/suspicious/noExplicitAny: a helper gets the values that the template gives it.
type Helpers = Readonly<Record<string, (this: unknown, ...args: any[]) => unknown>>

/** Names and bodies of webhooks have this helper, but messages do not: there a call of it is an error. */
const eq = (one: unknown, other: unknown) => one === other

/** The helpers of messages. */
const helpersOfMessages = (values: object, onMention: (mention: Mention) => void): Helpers => ({
  [mentionHelper]: (channel: unknown, id: string) => {
    if (typeof channel === 'string') onMention({ channel, id })
    return ''
  },
  /** `{{#is_match "attributes.name" "value"}}`, whose first argument is a path. */
  is_match(path: unknown, expected: unknown, block: Block) {
    const value = String(path)
      .split('.')
      .reduce<unknown>((at, step) => own(at, step), values)
    return value === expected ? block.fn?.(this) : ''
  },
})

const own = (value: unknown, name: string): unknown =>
  typeof value === 'object' && value !== null && Object.hasOwn(value, name)
    ? (value as Readonly<Record<string, unknown>>)[name]
    : undefined

const tooLong = `its result is longer than ${maxCharacters} characters`

function refuseLength(text: string): string {
  if (text.length > maxCharacters) throw new Error(tooLong)
  return text
}

/** Refuses deeply nested blocks, and partials, which may call each other recursively. */
function refuseDepth(node: object, depth = 0): void {
  const { type = '' } = node as { type?: string }
  if (/Partial|Decorator/.test(type)) throw new Error('partials and decorators are not supported')
  const inside = type === 'BlockStatement' || type === 'SubExpression' ? depth + 1 : depth
  if (inside > maxNested) throw new Error(`its blocks are nested more than ${maxNested} levels deep`)
  for (const part of Object.values(node)) {
    if (typeof part === 'object' && part !== null) refuseDepth(part, inside)
  }
}

type Each = (this: unknown, values: unknown, block: Block) => string

interface Block {
  readonly fn?: (values: unknown) => string
}

/** Escapes strings for use between the quotes of a JSON string; times stay numbers. */
function escapeAll({
  title,
  body,
  link,
  state,
  startTime,
  endTime,
  eventId,
}: AlertEvent & { readonly eventId: string }) {
  const escaped = Object.entries({ title, body, link, state, startTime, endTime, eventId }).map(([name, value]) => [
    name,
    typeof value === 'string' ? JSON.stringify(value).slice(1, -1) : value,
  ])
  return Object.fromEntries(escaped)
}

/** The option `timeout` of the client for Slack ends up in its payload. */
function writeSlack({ title, body, link }: AlertEvent, edition: AlertNotification['edition']): string {
  const text = `*<${link} | ${title}>*\n${body}`
  const blocks = [{ type: 'section', text: { type: 'mrkdwn', text } }]
  return JSON.stringify({ timeout: edition === '2.24' ? 0 : 30_000, text: title, blocks })
}
