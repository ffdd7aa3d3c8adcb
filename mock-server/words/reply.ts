/**
 * What a handler found, before it takes the shape of its form. `json` is the serialised result: an object, an array, or
 * the rows of a chart.
 */
export type Reply =
  | { readonly kind: 'object' | 'list' | 'rows'; readonly json: string; readonly meta?: ListMeta }
  /**
   * All records of a list that comes in pages; the query says which page is answered. `within` makes the result of a page for
   * an operation that describes its page within it.
   */
  | { readonly kind: 'paged'; readonly records: readonly object[]; readonly within?: (page: Page) => object }
  | { readonly kind: 'deleted' }
  /** Answered as it stands, outside the wrapper of the form. */
  | { readonly kind: 'bare'; readonly json: string }
  /** Answered as it stands, with the media type of the operation. */
  | { readonly kind: 'text'; readonly text: string }

/** One page of a list, and what is known of it. */
export interface Page {
  readonly records: readonly object[]
  readonly limit: number
  readonly totalCount: number
  readonly nextCursor: string | null
}

export interface ListMeta {
  readonly total: number
  readonly limit: number
  readonly offset: number
}
