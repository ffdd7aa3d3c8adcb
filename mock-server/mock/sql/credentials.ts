import type { Call } from '../../words/call.ts'

/** Who calls a service, by one of the ways of ClickHouse's HTTP interface. */
export interface Credentials {
  readonly user: string
  readonly password: string
  /** Whether any were sent. */
  readonly isGiven: boolean
}

/** Reads the credentials of a call, and takes those of its query out of it. */
export function takeCredentials(headers: Call['headers'], query: URLSearchParams): Credentials {
  const [user, password] = [query.get('user'), query.get('password')]
  for (const name of ['user', 'password', 'quota_key', 'role']) query.delete(name)
  const basic = /^basic +([\w+/=-]+)$/i.exec(headers.authorization ?? '')?.[1]
  if (basic !== undefined) {
    const [name, ...rest] = decode(basic).split(':')
    return given(name, rest.join(':'))
  }
  const [name, key] = [headers['x-clickhouse-user'], headers['x-clickhouse-key']]
  if (name !== undefined || key !== undefined) return given(name, key)
  if (user !== null || password !== null) return given(user, password)
  return { user: 'default', password: '', isGiven: false }
}

/** Text in base64; empty when it is none. */
function decode(base64: string): string {
  try {
    const bytes = atob(base64.replaceAll('-', '+').replaceAll('_', '/'))
    return new TextDecoder().decode(Uint8Array.from(bytes, char => char.charCodeAt(0)))
  } catch {
    return ''
  }
}

const given = (user: string | null | undefined, password: string | null | undefined): Credentials => ({
  user: user || 'default',
  password: password ?? '',
  isGiven: true,
})
