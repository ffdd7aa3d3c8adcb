import { tokenOf } from './authenticate.ts'
import type { Edition } from './behaviours/behaviour.ts'
import { performOperation } from './perform-operation.ts'
import { selfHostedStack } from './populate/populate.ts'
import { unauthenticated } from './refusal.ts'
import type { Reply } from './reply.ts'
import type { Visit } from './visit.ts'

/** Answers a call of the self-hosted form, or throws the first reason not to, in the order in which deployments look. */
export function serveSelfHosted(visit: Visit): Reply {
  const { call, deployment, destination } = visit
  const { known, refusal, route } = destination
  visit.readBody()
  if (route?.operation === 'service.health') return { kind: 'bare', json: health(visit.edition) }
  if (refusal && !known) throw refusal

  const { authorization } = call.headers
  if (known) {
    const caller = visit.edition === '2.24' ? authorization : authorization && tokenOf(authorization)
    visit.limit(caller ?? 'no token')
  }
  if (!deployment.isOurs(authorization, visit.choice('auth/token-letter-case') === 'accept')) {
    throw unauthenticated(
      authorization === undefined
        ? 'No credentials were sent: Expected the header Authorization with the scheme Bearer and a personal API access key'
        : 'Expected a personal API access key with the scheme Bearer in the header Authorization',
    )
  }
  // keeps: chart/other-methods-never-succeed
  if (refusal) throw refusal
  if (route?.operation === 'service.root') {
    return { kind: 'bare', json: JSON.stringify({ version: 'v2', user: deployment.selfHosted.user }) }
  }
  return performOperation(visit, deployment.stackOf(selfHostedStack))
}

/** The releases whose answers were recorded as the editions. */
const releases: Readonly<Record<Edition, string>> = { '2.24': '2.24.1', '2.36': '2.36.0' }

const health = (edition: Edition) =>
  JSON.stringify({ data: 'OK', version: releases[edition], ip: '127.0.0.1', env: 'production' })
