const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i
const objectId = /^[0-9a-f]{24}$/i

/**
 * Shortens an id in a path, so that the end of the path stays visible. Keeps the last letters of an object id, because
 * object ids differ only there, and the first letters of a UUID. Undefined for any other segment.
 */
export function shortId(segment: string, letters: number): string | undefined {
  if (uuid.test(segment)) return `${segment.slice(0, letters)}…`
  return objectId.test(segment) ? `…${segment.slice(-letters)}` : undefined
}
