import { type ClickHouseClient, type ClickHouseClientConfigOptions, createClient } from '@clickhouse/client'

/** The content of the FILE that `mock --sql-ca FILE` writes, as `readFileSync` returns it. */
type Certificate = NonNullable<ClickHouseClientConfigOptions['tls']>['ca_cert']

/** The address and credentials of a service: the fixture `service` of stack-parity/vitest, or your own. */
export interface Service {
  readonly url: string
  readonly username?: string
  readonly password: string
  /** Only for an address with https. */
  readonly ca?: Certificate
}

/** The official client, connected to a service. */
export function connect({ url, username = 'default', password, ca }: Service): ClickHouseClient {
  return createClient({ url, username, password, ...(ca && { tls: { ca_cert: ca } }) })
}

/** Whether the service answers. The query wakes an idle service. */
export async function answers(client: ClickHouseClient): Promise<boolean> {
  const result = await client.query({ query: 'SELECT 1', format: 'JSONEachRow' })
  return (await result.json()).length === 1
}
