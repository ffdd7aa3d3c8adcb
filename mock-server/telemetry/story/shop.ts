import { hour } from '../../words/durations.ts'

/** The shop whose telemetry is generated: its services, requests and daily load. */

/** The template of one span of a request: the work of a service, its database or an external service. */
export interface SpanTemplate {
  readonly service: string
  readonly name: string
  readonly kind: 'Server' | 'Client' | 'Internal' | 'Consumer'
  /** Its usual duration in milliseconds, without that of its calls. */
  readonly duration: number
  /** Its calls, in sequence. */
  readonly calls?: readonly SpanTemplate[]
  /** The request that a `Server` answers. */
  readonly method?: string
  readonly route?: string
  readonly attributes?: Readonly<Record<string, string>>
  /** True for a consumer of a queue, which works seconds after the request was answered. */
  readonly isAsynchronous?: true
}

/** A kind of request to the shop: its root span, and its percentage of all requests. */
export interface RequestTemplate {
  readonly share: number
  readonly root: SpanTemplate
}

function server(service: string, name: string, duration: number, ...calls: readonly SpanTemplate[]): SpanTemplate {
  const [method, route] = name.split(' ')
  return { service, name, kind: 'Server', duration, method, route, calls, attributes: undefined }
}

const client = (
  service: string,
  name: string,
  duration: number,
  attributes: SpanTemplate['attributes'],
): SpanTemplate => ({
  service,
  name,
  kind: 'Client',
  duration,
  // With the same properties as those of servers, which V8 compiles into shorter code.
  method: undefined,
  route: undefined,
  calls: undefined,
  attributes,
})

const query = (service: string, table: string, statement: string, duration: number): SpanTemplate =>
  client(service, `${statement.split(' ')[0]} ${table}`, duration, {
    'db.system': 'postgresql',
    'db.statement': statement,
  })

const bestSellers = query('api', 'products', 'SELECT * FROM products ORDER BY sold DESC LIMIT 24', 14)
const home = server('web', 'GET /', 12, server('api', 'GET /api/products', 9, bestSellers))

const readCache = client('api', 'GET cache', 1.4, { 'db.system': 'redis', 'db.statement': 'GET product' })
const selectProduct = query('api', 'products', 'SELECT * FROM products WHERE id = $1', 8)
const getProduct = server('api', 'GET /api/products/{id}', 6, readCache, selectProduct)
const product = server('web', 'GET /products/{id}', 15, getProduct)

const insertItem = query('api', 'cart_items', 'INSERT INTO cart_items VALUES ($1, $2, $3)', 12)
const cart = server('web', 'POST /cart', 9, server('api', 'POST /api/cart', 11, insertItem))

const provider = client('payments', 'POST provider /v1/charges', 210, { 'peer.service': 'provider.example.com' })
const insertCharge = query('payments', 'charges', 'INSERT INTO charges VALUES ($1, $2)', 11)
const mail = client('worker', 'POST mail', 140, { 'peer.service': 'mail.example.com' })
const receipt: SpanTemplate = {
  ...server('worker', 'POST /jobs/send-receipt', 60, mail),
  kind: 'Consumer',
  isAsynchronous: true,
}
const insertOrder = query('checkout', 'orders', 'INSERT INTO orders VALUES ($1, $2, $3, $4)', 16)
const charge = server('payments', 'POST /charges', 18, insertCharge, provider)
const order = server('checkout', 'POST /checkout', 24, insertOrder, charge, receipt)

export const checkout: RequestTemplate = { share: 10, root: server('web', 'POST /checkout', 14, order) }

export const requestTemplates: readonly RequestTemplate[] = [
  { share: 34, root: home },
  { share: 36, root: product },
  { share: 20, root: cart },
  checkout,
]

export const services: readonly string[] = ['web', 'api', 'checkout', 'payments', 'worker']

/** Each template, as many times as its percentage. */
const templatesByShare = requestTemplates.flatMap(template => Array<RequestTemplate>(template.share).fill(template))
/** Picks a template by a random number from 0 to 1, 1 excluded. */
export const pickTemplate = (chance: number): RequestTemplate =>
  templatesByShare[Math.floor(chance * templatesByShare.length)]!

/** The relative load at a time: low at night, highest in the early evening (UTC), lower on weekends. */
export function relativeLoad(time: number): number {
  const date = new Date(time)
  const rhythm = 1 + 0.8 * Math.sin((((time % (24 * hour)) / hour - 11) / 24) * 2 * Math.PI)
  return date.getUTCDay() % 6 === 0 ? rhythm * 0.7 : rhythm
}
