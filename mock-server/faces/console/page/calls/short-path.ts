import { shortId } from '../../../short-id.ts'
import { element } from '../element.ts'

/** A path with short ids; the whole id on hover. */
export function shortPath(path: string): HTMLElement {
  const [bare = '', query] = path.split(/\?(.*)/s)
  const parts = bare.split(/(\/)/).map(segment => {
    if (segment === '/') return [segment, element('wbr')]
    const short = shortId(segment, 4)
    return short === undefined ? segment : element('abbr', { title: segment }, short)
  })
  return element('span.path', { title: path }, [parts, query !== undefined && element('span.query', `?${query}`)])
}
