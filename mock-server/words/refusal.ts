import type { GapId, RuleId } from '../../fixtures/contract/index.ts'

/** One finding about one place of a request: `path` is empty for the whole part. */
export interface Issue {
  readonly part: 'Body' | 'Params' | 'Query'
  readonly path: readonly (string | number)[]
  readonly says: string
  /** The value that came, when there was one; it is named in the cloud API's sentences. */
  readonly received?: unknown
  /** For a value that fits none of several shapes: the findings against the shape that it resembles most. */
  readonly branch?: readonly Issue[]
  /** The property of the field that the value breaks, for refusals that say so in a shape of their own. */
  readonly fault?: { readonly kind: string; readonly type: string; readonly format?: string }
}

export type RefusalKind =
  | 'malformed'
  | 'invalid'
  | 'unauthenticated'
  | 'forbidden'
  | 'unknownId'
  | 'unknownSource'
  | 'unreadableWhere'
  | 'unrouted'
  | 'wrongMethod'
  | 'tooLarge'
  | 'unsupported'
  | 'conflict'
  | 'gone'
  | 'failedDependency'
  | 'rateLimited'
  | 'failed'

/**
 * A refusal is thrown by whoever finds the reason and written to the wire in one place (`reply.ts`), in the error shape of
 * the form. It is no Error: it carries no stack.
 */
export class Refusal {
  constructor(
    readonly kind: RefusalKind,
    readonly says: string,
    readonly more: {
      readonly issues?: readonly Issue[]
      readonly allow?: string
      /** What the caller probably meant. */
      readonly advice?: string
      /** The gap of the contract that says how this refusal looks; that of an unknown id is the operation's. */
      readonly gap?: GapId
      /** The body of an operation that refuses in a shape of its own, and the gap that says so. */
      readonly own?: { readonly gap: GapId; readonly json: unknown }
      /** What the error body of the cloud form has beside its sentence. */
      readonly fields?: object
      /** The rule of the contract that asks for the refusal. */
      readonly rule?: RuleId
      /** The sentence of the cloud form is `says` alone, without a code before it. */
      readonly isWhole?: true
      /** The body could not be read: deployments refuse it before they know which origins may call. */
      readonly isUnread?: true
    } = {},
  ) {}
}

/** The request cannot be understood at all: broken JSON, a wrong content type, an id that is no id. */
export const malformed = (says: string) => new Refusal('malformed', says)
/** The request is well-formed and breaks the schema; every issue names its place. */
export const invalid = (issues: readonly Issue[]) =>
  new Refusal('invalid', '', {
    issues,
    ...(issues.every(({ part }) => part === 'Params') && { gap: 'path/malformed-id' }),
  })
/** A sentence of a business rule, such as a reference to something that does not exist. */
export const refused = (says: string) => new Refusal('malformed', says)
export const unauthenticated = (says: string) => new Refusal('unauthenticated', says)
export const forbidden = (says: string) => new Refusal('forbidden', says)
/** `resource` is the noun for the sentence: `Alert`, `Dashboard` … */
export const unknownId = (resource: string) => new Refusal('unknownId', `${resource} not found`)
export const unknownSource = (says: string) => new Refusal('unknownSource', says, { gap: 'chart/unknown-source' })
/** A filter or column that a chart query cannot read; `says` gives the position. */
export const unreadableWhere = (says: string) => new Refusal('unreadableWhere', says, { gap: 'chart/unreadable-where' })
export const unrouted = (says: string, advice: string) =>
  new Refusal('unrouted', says, { gap: 'path/unknown-path', advice })
export const wrongMethod = (says: string, allow: string, advice: string) =>
  new Refusal('wrongMethod', says, { allow, advice, gap: 'path/wrong-method' })
export const tooLarge = (says: string) => new Refusal('tooLarge', says)
export const unsupported = (says: string) => new Refusal('unsupported', says)
export const conflict = (says: string) => new Refusal('conflict', says)
export const gone = (says: string) => new Refusal('gone', says)
export const rateLimited = (says: string) => new Refusal('rateLimited', says)
export const failed = (says: string) => new Refusal('failed', says)
