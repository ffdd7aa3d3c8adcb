import { authorization, type CredentialsKind, credentials } from './credentials.ts'
import { createFinder, type FindOptions, SHORTEST_PART } from './find-secrets.ts'
import { isObject } from './recognise.ts'
import { secretsOf, type TargetFile } from './target/target.ts'

const LONGEST_BODY = 4096
export const REDACTED = '[redacted]'
/** Credentials that contain no secret, or only the other form's. */
const harmless: readonly string[] = ['emptySecret', 'keyIdAsSecret', 'malformed', 'otherForm']

export interface Redactor {
  (text: string): string
  /** Adds secrets that a deployment showed. */
  learn(secrets: readonly string[]): void
}

/** Removes every secret of a target from a text, in any encoding, and the beginning of one that was cut short. */
export function createRedactor(target: TargetFile): Redactor {
  // Near misses are secret too: they contain most of a good credential.
  const sent = (['cloud', 'selfHosted'] as const).flatMap(form =>
    (Object.keys(credentials[form]) as CredentialsKind[]).flatMap(as =>
      harmless.includes(as) ? [] : (authorization(target, form, as)?.replace(/^\w+ /, '') ?? []),
    ),
  )
  const known = new Set([...sent.filter(one => one.length >= SHORTEST_PART), ...secretsOf(target)])
  const redact = createReplacer([...known], { cutShort: true })
  const { learn } = redact
  return Object.assign(redact, {
    learn(secrets: readonly string[]) {
      const fresh = secrets.filter(secret => secret.length >= SHORTEST_PART && !known.has(secret))
      for (const secret of fresh) known.add(secret)
      learn(fresh)
    },
  })
}

export function createReplacer(secrets: readonly string[], options: FindOptions): Redactor {
  const { learn, find } = createFinder(options)
  learn(secrets)
  const replace = (text: string) => {
    let clean = ''
    let from = 0
    for (const { start, end } of find(text)) {
      clean += text.slice(from, start) + REDACTED
      from = end
    }
    return clean + text.slice(from)
  }
  return Object.assign(replace, { learn })
}

/** Redacts all texts in a value, names of fields included. */
export function redactValue<T>(value: T, redact: (text: string) => string): T
export function redactValue(value: unknown, redact: (text: string) => string): unknown {
  if (typeof value === 'string') return redact(value)
  if (Array.isArray(value)) return value.map(item => redactValue(item, redact))
  if (!isObject(value)) return value
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [redact(key), redactValue(item, redact)]))
}

/** A body for reports and ledgers: redacted, and cut at 4 KiB. */
export function cutBody(text: string, redact: (text: string) => string): string {
  // Only the start of a long text is searched; redacting can only shorten it.
  const clean = redact(text.slice(0, 16 * LONGEST_BODY))
  return clean.length > LONGEST_BODY ? `${clean.slice(0, LONGEST_BODY)}…` : clean
}
