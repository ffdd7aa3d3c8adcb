import type { Check } from '../../engine/check.ts'
import type { CredentialsKind } from '../../engine/credentials.ts'
import { type Exchange, isSuccess } from '../../engine/exchange.ts'
import { findObject } from '../../engine/recognise.ts'
import type { RunContext, Step } from '../../engine/step.ts'
import { resultIn } from '../../rules/fields.ts'
import { each, neverSucceeds } from '../../rules/steps.ts'
import type { lifeOf } from '../../visits/life.ts'
import { type CreatedObject, type Run, skip } from '../../visits/visit.ts'

/** SQL on a service of the run, where the target file says how to connect. */

const passwordStep = 'cloud:service.password'

/** Each is made from the right password; an empty text means that none is sent. */
const wrongPasswords: readonly (readonly [name: string, as: CredentialsKind, alter: (password: string) => string])[] = [
  ['without-password', 'none', () => ''],
  ['continued-password', 'continuedSecret', password => `${password}x9`],
  ['cut-password', 'cutSecret', password => password.slice(0, -1)],
]

/** Sends queries with the password of the service, without it, with wrong passwords and with the former one. */
export function queryService(run: Run, services: ReturnType<typeof lifeOf>, { line, ready }: CreatedObject): void {
  const made = [line, ready!]
  const first = (context: RunContext) => passwordIn(context, line)
  select(run, 'created', 'asks the service for SQL', first, { from: made, ...pollUntil(made, showsOne) })
  for (const [name, as, alter] of wrongPasswords) {
    const why = `asks the service for SQL ${as === 'none' ? 'without its password' : 'with a wrong password'}`
    const altered = (context: RunContext) => {
      const password = first(context)
      return password && alter(password)
    }
    select(run, name, why, altered, { from: made, as, isProbe: true })
  }
  services.act('service.password', 'password', { body: {}, why: 'requests a new password' })
  const from = [...made, passwordStep]
  const second = (context: RunContext) => passwordIn(context, passwordStep)
  select(run, 'renewed', 'asks the service for SQL with its new password', second, {
    from,
    ...pollUntil(from, showsOne),
  })
  const former = (context: RunContext) => second(context) && first(context)
  const why = 'asks the service for SQL with the password that it had before'
  const more = { from, as: 'wrongSecret' as const, isProbe: true as const }
  select(run, 'former-password', why, former, { ...more, ...pollUntil(from, exchange => !isSuccess(exchange)) })
}

export function queryStoppedService(run: Run, stopped: string): void {
  const password = (context: RunContext) => {
    const exchange = context.exchange(stopped)
    return exchange && findObject(exchange.json, 'service')?.state === 'stopped'
      ? passwordIn(context, passwordStep)
      : undefined
  }
  select(run, 'stopped', 'asks the service that was stopped for SQL', password, { from: [stopped, passwordStep] })
}

function select(
  run: Run,
  name: string,
  why: string,
  passwordOf: (context: RunContext) => string | undefined,
  more: Partial<Step>,
): void {
  const makeRequest: Step['makeRequest'] = context => {
    if (!context.target.sql) return skip('the target file does not say where services answer SQL (`sql`)')
    const password = passwordOf(context)
    if (password === undefined) return skip('the run has no service of its own with a known password')
    return { path: '/', rawBody: 'SELECT 1', sql: password === '' ? {} : { password } }
  }
  run.send(`service.sql-${name}`, why, makeRequest, { method: 'POST', ...more })
}

/** Repeats a query until it shows what was done to the service. */
const pollUntil = (after: readonly string[], until: (exchange: Exchange) => boolean) => ({
  poll: { after, withinSeconds: 60, until },
})

const showsOne = (exchange: Exchange) => isSuccess(exchange) && exchange.response.text.trim() === '1'

function passwordIn(context: RunContext, line: string): string | undefined {
  const password = resultIn(context.exchange(line))?.password
  return typeof password === 'string' ? password : undefined
}

export const sqlChecks = {
  'service/answers-sql': each(['service.sql-created', 'service.sql-renewed'], exchange =>
    showsOne(exchange) ? [] : [{ expected: '1', got: `${exchange.response.status} ${exchange.response.text}` }],
  ),
  'service/wrong-password-gets-no-sql': neverSucceeds(
    [...wrongPasswords.map(([name]) => name), 'former-password'].map(name => `service.sql-${name}`),
  ),
  'service/stopped-gets-no-sql': neverSucceeds(['service.sql-stopped']),
} as const satisfies Record<string, Check>
