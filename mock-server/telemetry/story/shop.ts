/** The small shop whose telemetry fills a stack: what runs in it, what it is asked, and how its days go. */
export const hour = 3_600_000

/** One piece of work within a request: that of a service, of its database, or of somebody else whom it asks. */
export interface Hop {
  readonly service: string
  readonly name: string
  readonly kind: 'Server' | 'Client' | 'Internal' | 'Consumer'
  /** Its own share of the time, without that of what it calls, in milliseconds, when nothing is wrong. */
  readonly duration: number
  /** What it asks for, one after the other. */
  readonly calls?: readonly Hop[]
  /** What a `Server` is asked. */
  readonly method?: string
  readonly route?: string
  /** Attributes of its span. */
  readonly attributes?: Readonly<Record<string, string>>
  /** It comes from a queue, seconds after the request was answered. */
  readonly isLater?: true
}

/** What a shopper does, and how often beside the others. */
export interface Journey {
  readonly name: string
  readonly share: number
  readonly root: Hop
}

const server = (service: string, method: string, route: string, duration: number, ...calls: readonly Hop[]): Hop => ({
  service,
  name: `${method} ${route}`,
  kind: 'Server',
  duration,
  method,
  route,
  calls,
})

const query = (service: string, table: string, statement: string, duration: number): Hop => ({
  service,
  name: `${statement.split(' ')[0]} ${table}`,
  kind: 'Client',
  duration,
  attributes: { 'db.system': 'postgresql', 'db.statement': statement },
})

const cache = (service: string, key: string): Hop => ({
  service,
  name: 'GET cache',
  kind: 'Client',
  duration: 1.4,
  attributes: { 'db.system': 'redis', 'db.statement': `GET ${key}` },
})

const product = 'SELECT * FROM products WHERE id = $1'
const receipt: Hop = {
  service: 'worker',
  name: 'POST /jobs/send-receipt',
  kind: 'Consumer',
  duration: 60,
  method: 'POST',
  route: '/jobs/send-receipt',
  isLater: true,
  calls: [
    {
      service: 'worker',
      name: 'POST mail',
      kind: 'Client',
      duration: 140,
      attributes: { 'peer.service': 'mail.example.com' },
    },
  ],
}
const provider: Hop = {
  service: 'payments',
  name: 'POST provider /v1/charges',
  kind: 'Client',
  duration: 210,
  attributes: { 'peer.service': 'provider.example.com' },
}

export const journeys: readonly Journey[] = [
  {
    name: 'home',
    share: 34,
    root: server(
      'web',
      'GET',
      '/',
      12,
      server(
        'api',
        'GET',
        '/api/products',
        9,
        query('api', 'products', 'SELECT * FROM products ORDER BY sold DESC LIMIT 24', 14),
      ),
    ),
  },
  {
    name: 'product',
    share: 36,
    root: server(
      'web',
      'GET',
      '/products/{id}',
      15,
      server('api', 'GET', '/api/products/{id}', 6, cache('api', 'product'), query('api', 'products', product, 8)),
    ),
  },
  {
    name: 'cart',
    share: 20,
    root: server(
      'web',
      'POST',
      '/cart',
      9,
      server(
        'api',
        'POST',
        '/api/cart',
        11,
        query('api', 'cart_items', 'INSERT INTO cart_items VALUES ($1, $2, $3)', 12),
      ),
    ),
  },
  {
    name: 'checkout',
    share: 10,
    root: server(
      'web',
      'POST',
      '/checkout',
      14,
      server(
        'checkout',
        'POST',
        '/checkout',
        24,
        query('checkout', 'orders', 'INSERT INTO orders VALUES ($1, $2, $3, $4)', 16),
        server(
          'payments',
          'POST',
          '/charges',
          18,
          query('payments', 'charges', 'INSERT INTO charges VALUES ($1, $2)', 11),
          provider,
        ),
        receipt,
      ),
    ),
  },
]

export const services: readonly string[] = ['web', 'api', 'checkout', 'payments', 'worker']

const shares = journeys.flatMap(journey => Array<Journey>(journey.share).fill(journey))
/** The journey that a chance from 0 up to 1 stands for. */
export const journeyOf = (chance: number): Journey => shares[Math.floor(chance * shares.length)]!
export const checkout = journeys.find(({ name }) => name === 'checkout')!

/** How busy a moment is: quiet at night, busiest in the early evening (UTC), less on weekends. */
export function busyness(time: number): number {
  const date = new Date(time)
  const rhythm = 1 + 0.8 * Math.sin((((time % (24 * hour)) / hour - 11) / 24) * 2 * Math.PI)
  return date.getUTCDay() % 6 === 0 ? rhythm * 0.7 : rhythm
}
