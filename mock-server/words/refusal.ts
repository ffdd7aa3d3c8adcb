import type { GapId, RuleId } from '../../fixtures/contract/index.ts'

/** One issue of a request: `path` is empty if it concerns the whole part. */
export interface Issue {
  readonly part: 'Body' | 'Params' | 'Query'
  readonly path: readonly (string | number)[]
  readonly sentence: string
  /** The received value, if any, which the cloud API's sentences quote. */
  readonly received?: unknown
  /** For a value that matches none of several shapes: the issues against the closest shape. */
  readonly branch?: readonly Issue[]
  /** The violated property of the field, for operations with an error shape of their own. */
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
 * A refusal is thrown where its reason is found; `write-reply.ts` writes all of them, in the error shape of the form. It
 * is not an Error and has no stack.
 */
export class Refusal {
  constructor(
    readonly kind: RefusalKind,
    readonly sentence: string,
    readonly details: {
      readonly issues?: readonly Issue[]
      readonly allow?: string
      /** A suggestion for the caller. */
      readonly advice?: string
      /** What a client of the real API needs to know, which the answer says too. */
      readonly hint?: string
      /** The gap that decides how this refusal looks. Default for an unknown id: the gap of the operation. */
      readonly gap?: GapId
      /** For an operation with an error shape of its own: the body, and the gap that decides its shape. */
      readonly ownBody?: { readonly gap: GapId; readonly json: unknown }
      /** Further fields of the cloud form's error body. */
      readonly fields?: object
      /** The rule that requires the refusal. */
      readonly rule?: RuleId
      /** Where the refusal was seen, if no rule and no gap has it. */
      readonly observed?: string
      /** Omits the code before the sentence in the cloud form. */
      readonly omitsCode?: true
      /** The body could not be read: deployments refuse it before they check the origin, so the CORS headers differ. */
      readonly isBodyUnread?: true
    } = {},
  ) {}
}

/** The request is malformed: broken JSON, a wrong content type, a malformed id. */
export const malformed = (sentence: string) => new Refusal('malformed', sentence)
/** The request is well-formed and violates the schema; every issue names its place. */
export const invalid = (issues: readonly Issue[]) =>
  new Refusal('invalid', '', {
    issues,
    ...(issues.every(({ part }) => part === 'Params') && { gap: 'path/malformed-id' }),
  })
/** The same for a single issue. */
export const invalidAt = (
  path: Issue['path'],
  sentence: string,
  received?: unknown,
  part: Issue['part'] = 'Body',
): Refusal => invalid([{ part, path, sentence, received }])
/** The same for a field of a body, with the value that was sent. */
export const invalidField = <Body extends object>(body: Body, field: keyof Body & string, sentence: string): Refusal =>
  invalidAt([field], sentence, body[field])
/** A violated business rule, such as a reference to something that does not exist. */
export const refused = (sentence: string) => new Refusal('malformed', sentence)
export const unauthenticated = (sentence: string) => new Refusal('unauthenticated', sentence)
export const forbidden = (sentence: string) => new Refusal('forbidden', sentence)
/** `resource` is the noun of the sentence: `Alert`, `Dashboard` … */
export const unknownId = (resource: string) => new Refusal('unknownId', `${resource} not found`)
export const unknownSource = (sentence: string) =>
  new Refusal('unknownSource', sentence, { gap: 'chart/unknown-source' })
/** A filter or column that a chart query cannot read, with its position. */
export const unreadableWhere = (sentence: string) =>
  new Refusal('unreadableWhere', sentence, { gap: 'chart/unreadable-where' })
/** `code` is the choice of whether the sentence begins with the code of its status; undefined on ClickStack, where it always does. */
export const unknownProperty = (name: string, code: string | undefined) =>
  new Refusal('malformed', `request body property can't be validated: ${name}`, {
    ...(code !== undefined && { gap: 'error/unknown-property-code' }),
    ...(code === 'no' && { omitsCode: true }),
  })
export const unrouted = (sentence: string, advice: string, hint = '') =>
  new Refusal('unrouted', sentence, { gap: 'path/unknown-path', advice, hint })
export const wrongMethod = (sentence: string, allow: string, advice: string) =>
  new Refusal('wrongMethod', sentence, { allow, advice, gap: 'path/wrong-method' })
export const tooLarge = (sentence: string) => new Refusal('tooLarge', sentence)
/** For a charset or content encoding that deployments do not read. */
export const unsupported = (sentence: string) => new Refusal('unsupported', sentence)
export const conflict = (sentence: string) => new Refusal('conflict', sentence)
export const gone = (sentence: string) => new Refusal('gone', sentence)
export const rateLimited = (sentence: string) => new Refusal('rateLimited', sentence)
export const failed = (sentence: string) => new Refusal('failed', sentence)
