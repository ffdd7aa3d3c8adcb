/**
 * What a behaviour found, before it takes the shape of its form. `json` is the serialised result: an object, an array, or
 * the rows of a chart.
 */
export type Reply =
  | { readonly kind: 'object' | 'list' | 'rows'; readonly json: string; readonly meta?: ListMeta }
  | { readonly kind: 'deleted'; readonly resource: 'Alert' | 'Dashboard' | 'Source' | 'Webhook' }
  /** Answered as it stands, outside the `data` wrapper of the self-hosted form. */
  | { readonly kind: 'bare'; readonly json: string }

export interface ListMeta {
  readonly total: number
  readonly limit: number
  readonly offset: number
}
