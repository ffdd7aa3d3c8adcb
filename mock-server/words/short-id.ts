const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i
const objectId = /^[0-9a-f]{24}$/i

/**
 * Shortens an id in a path, so that the end of the path stays visible: object ids differ at their ends, UUIDs
 * everywhere.
 */
export function shortId(segment: string, letters: number): string | undefined {
  if (uuid.test(segment)) return `${segment.slice(0, letters)}…`
  return objectId.test(segment) ? `…${segment.slice(-letters)}` : undefined
}
