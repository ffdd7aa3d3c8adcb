import { type Accepted, acceptBody } from './accept-body.ts'
import type { Edition } from './behaviours/behaviour.ts'
import type { Call } from './call.ts'
import type { Cors } from './cors.ts'
import type { Deployment } from './deployment.ts'
import type { Destination } from './dispatch.ts'
import type { Limits } from './limits.ts'
import type { Limiter } from './rate-limit.ts'
import { rateLimited } from './refusal.ts'
import type { Circumstances } from './write-reply.ts'

/** One call on its way through the mock. */
export class Visit implements Circumstances {
  isUnknown = false
  headers: Readonly<Record<string, string>> | undefined
  #body: Accepted | undefined

  constructor(
    readonly call: Call,
    readonly form: 'cloud' | 'managed' | 'selfHosted',
    readonly destination: Destination,
    readonly deployment: Deployment,
    readonly taken: Readonly<Record<string, string>>,
    readonly segment: string,
    readonly limits: Limits,
    readonly now: number,
    readonly limiter: Limiter | undefined,
    readonly cors: Cors,
  ) {}

  get operation(): string | undefined {
    return this.destination.route?.operation
  }

  get edition(): Edition {
    return this.taken['version/self-hosted-edition'] as Edition
  }

  choice(gap: string): string {
    return this.taken[gap] ?? ''
  }

  readBody(): Accepted {
    this.#body ??= acceptBody(this.call, this.limits)
    return this.#body
  }

  /** Counts the call against the caller's quota, where quotas are on. */
  limit(caller: string): void {
    const quota = this.limiter?.(caller, this.now)
    if (!quota) return
    this.headers = quota.headers
    if (quota.isOver) throw rateLimited('Too many requests, please try again later.')
  }
}
