import type { GapId, RuleId } from '../../fixtures/contract/index.ts'

/** One issue of a request: `path` is empty for the whole part. */
export interface Issue {
  readonly part: 'Body' | 'Params' | 'Query'
  readonly path: readonly (string | number)[]
  readonly says: string
  /** The received value, if any, which the cloud API's sentences quote. */
  readonly received?: unknown
  /** For a value that matches none of several shapes: the issues against the closest shape. */
  readonly branch?: readonly Issue[]
  /** The violated property of the field, for refusals in a shape of their own. */
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
 * A refusal is thrown where the reason is found and written in one place (`write-reply.ts`), in the error shape of the
 * form. It is not an Error and has no stack.
 */
export class Refusal {
  constructor(
    readonly kind: RefusalKind,
    readonly says: string,
    readonly more: {
      readonly issues?: readonly Issue[]
      readonly allow?: string
      /** A suggestion for the caller. */
      readonly advice?: string
      /** The gap that decides how this refusal looks; that of an unknown id is the operation's. */
      readonly gap?: GapId
      /** The body of an operation with an error shape of its own, and the gap behind it. */
      readonly own?: { readonly gap: GapId; readonly json: unknown }
      /** Further fields of the cloud form's error body. */
      readonly fields?: object
      /** The rule that requires the refusal. */
      readonly rule?: RuleId
      /** Omits the code before the sentence in the cloud form. */
      readonly isWhole?: true
      /** The body could not be read: deployments refuse it before they check the origin. */
      readonly isUnread?: true
    } = {},
  ) {}
}

/** The request is malformed: broken JSON, a wrong content type, a malformed id. */
export const malformed = (says: string) => new Refusal('malformed', says)
/** The request is well-formed and violates the schema; every issue names its place. */
export const invalid = (issues: readonly Issue[]) =>
  new Refusal('invalid', '', {
    issues,
    ...(issues.every(({ part }) => part === 'Params') && { gap: 'path/malformed-id' }),
  })
/** A violated business rule, such as a reference to something that does not exist. */
export const refused = (says: string) => new Refusal('malformed', says)
export const unauthenticated = (says: string) => new Refusal('unauthenticated', says)
export const forbidden = (says: string) => new Refusal('forbidden', says)
/** `resource` is the noun of the sentence: `Alert`, `Dashboard` … */
export const unknownId = (resource: string) => new Refusal('unknownId', `${resource} not found`)
export const unknownSource = (says: string) => new Refusal('unknownSource', says, { gap: 'chart/unknown-source' })
/** A filter or column that a chart query cannot read, with its position. */
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
