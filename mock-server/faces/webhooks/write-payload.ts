import type Handlebars from 'handlebars'
import type { AlertEvent, Delivery } from '../../mock/mock.ts'

/** Returns a function that writes payloads. It rejects with the position in a template that cannot be parsed or filled in. */
export function createPayloadWriter(): (delivery: Delivery) => Promise<string> {
  // Loaded by the first delivery: most mocks never deliver anything.
  let loading: Promise<Fill> | undefined
  const load = () => {
    loading ??= import('handlebars').then(({ default: library }) => createFill(library.create()))
    return loading
  }
  return async delivery => {
    const fill = await load()
    const event = delivery.renderEvent(fill)
    const { service, body } = delivery.webhook
    if (service === 'slack') return refuseLength(writeSlack(event))
    return body ? fill(body, escapeAll(event)) : refuseLength(writeDefault(event))
  }
}

type Fill = (template: string, values: object) => string

const maxCharacters = 1024 * 1024
/** The limit of the API. */
const maxTemplateLength = 16 * 1024
const maxIterations = 1000
const maxNested = 20

/** Limits the templates of clients: no logging, no prototypes, and no nested loops that block the process. */
function createFill(handlebars: typeof Handlebars): Fill {
  let iterations = 0
  let characters = 0
  const { each } = handlebars.helpers as { each: Each }
  handlebars.unregisterHelper('log')
  handlebars.registerHelper('eq', eq)
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
  return (template, values) => {
    if (template.length > maxTemplateLength) throw new Error(`it is longer than ${maxTemplateLength} characters`)
    const parsed = handlebars.parse(template)
    refuseDepth(parsed)
    iterations = 0
    characters = 0
    return refuseLength(handlebars.compile(parsed, { noEscape: true })(values))
  }
}

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
  readonly inverse?: (values: unknown) => string
}

/** Serves both `{{#if (eq state "OK")}}` and `{{#eq state "OK"}}`. */
function eq(this: unknown, one: unknown, other: unknown, { fn, inverse }: Block) {
  if (!fn) return one === other
  return one === other ? fn(this) : inverse?.(this)
}

/** Escapes strings for use between the quotes of a JSON string; times stay numbers. */
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
