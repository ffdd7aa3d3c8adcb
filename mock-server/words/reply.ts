/**
 * What a handler found, before it takes the shape of its form. `json` is the serialised result: an object, an array, or
 * the rows of a chart.
 */
export type Reply =
  | { readonly kind: 'object' | 'list' | 'rows'; readonly json: string; readonly meta?: ListMeta }
  | { readonly kind: 'deleted' }
  /** Answered as it stands, outside the wrapper of the form. */
  | { readonly kind: 'bare'; readonly json: string }
  /** Answered as it stands, with the media type of the operation. */
  | { readonly kind: 'text'; readonly text: string }

export interface ListMeta {
  readonly total: number
  readonly limit: number
  readonly offset: number
}
