import type { DocumentOperation, ParsedDocument } from './read-document.ts'

/** A request that may be an operation of a document; the path may have a query. */
interface Requested {
  readonly method: string
  readonly path: string
}

/** Returns a function that finds the operation of a request: of several, the one with the most literal segments. */
export function createFinder({ operations }: Pick<ParsedDocument, 'operations'>) {
  const countLiterals = (path: string) => path.split('/').filter(part => !part.startsWith('{')).length
  const routes = operations
    .map(one => ({ ...one, expression: toExpression(one.shape) }))
    .sort((a, b) => countLiterals(b.path) - countLiterals(a.path))
  return (request: Requested): DocumentOperation | undefined => {
    const path = plainPath(request.path)
    return routes.find(({ method, expression }) => method === request.method && expression.test(path))
  }
}

const toExpression = (shape: string) =>
  new RegExp(
    `^${shape
      .split(/\{\w*\}/)
      .map(part => part.replace(/[.*+?^$()|[\]\\]/g, '\\$&'))
      .join('[^/]+')}/?$`,
  )

/** The path without its query, from `/v1/` or `/api/v2/` on. */
export const plainPath = (path: string) => path.replace(/[?#].*$/s, '').replace(/^.*?(?=\/(?:v1|api\/v2)\/)/, '')
