/**
 * The result of a handler, before it is written in the form's envelope. `json` is the serialised result: an object, an
 * array, or the rows of a chart.
 */
export type Reply =
  | { readonly kind: 'object' | 'list' | 'rows'; readonly json: string; readonly meta?: ListMeta }
  /**
   * All records of a list. Where the operation has pages, the query selects one. `resultOf` builds the result of operations
   * that describe the page inside the result.
   */
  | { readonly kind: 'records'; readonly records: readonly object[]; readonly resultOf?: (page: Page) => object }
  | { readonly kind: 'deleted' }
  /** Written as is, without the envelope of the form. */
  | { readonly kind: 'bare'; readonly json: string }
  /** Written as is, with the media type of the operation. */
  | { readonly kind: 'text'; readonly text: string }

/** One page of a list and its position. */
export interface Page {
  readonly records: readonly object[]
  readonly limit: number
  readonly totalCount: number
  readonly nextCursor: string | null
  /** The number of records before the page. */
  readonly offset: number
}

export interface ListMeta {
  readonly total: number
  readonly limit: number
  readonly offset: number
}
