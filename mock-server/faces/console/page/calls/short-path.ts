import { element } from '../element.ts'

const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i
const objectId = /^[0-9a-f]{24}$/i

/** A path with short ids, so that its end is seen: the whole id on hover. Object ids differ at their ends, UUIDs everywhere. */
export function shortPath(path: string): HTMLElement {
  const [bare = '', query] = path.split(/\?(.*)/s)
  const parts = bare.split(/(\/)/).map(segment => {
    const short = uuid.test(segment)
      ? `${segment.slice(0, 4)}…`
      : objectId.test(segment)
        ? `…${segment.slice(-4)}`
        : undefined
    if (segment === '/') return [segment, element('wbr')]
    return short === undefined ? segment : element('abbr', { title: segment }, short)
  })
  return element('span.path', { title: path }, [parts, query !== undefined && element('span.query', `?${query}`)])
}
