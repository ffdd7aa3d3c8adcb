import type { IncomingHttpHeaders } from 'node:http'

/** Who calls a service, by one of the ways of ClickHouse's HTTP interface. */
export interface Credentials {
  readonly user: string
  readonly password: string
  /** Whether any were sent. */
  readonly isGiven: boolean
}

/** Reads the credentials of a call, and takes those of its query out of it. */
export function takeCredentials(headers: IncomingHttpHeaders, query: URLSearchParams): Credentials {
  const [user, password] = [query.get('user'), query.get('password')]
  for (const name of ['user', 'password', 'quota_key', 'role']) query.delete(name)
  const basic = /^basic +([\w+/=-]+)$/i.exec(headers.authorization ?? '')?.[1]
  if (basic !== undefined) {
    const text = Buffer.from(basic, 'base64').toString()
    const colon = text.indexOf(':')
    return given(colon < 0 ? text : text.slice(0, colon), colon < 0 ? '' : text.slice(colon + 1))
  }
  const [name, key] = [headers['x-clickhouse-user'], headers['x-clickhouse-key']]
  if (name !== undefined || key !== undefined) return given(String(name ?? 'default'), String(key ?? ''))
  if (user !== null || password !== null) return given(user ?? 'default', password ?? '')
  return { user: 'default', password: '', isGiven: false }
}

const given = (user: string, password: string): Credentials => ({ user: user || 'default', password, isGiven: true })
