const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i
const objectId = /^[0-9a-f]{24}$/i

/**
 * Shortens an id in a path, so that the end of the path stays visible: to its last letters if it is an object id, which
 * differs from others only there, and to the first letters of a UUID. Undefined for any other segment.
 */
export function shortId(segment: string, letters: number): string | undefined {
  if (uuid.test(segment)) return `${segment.slice(0, letters)}…`
  return objectId.test(segment) ? `…${segment.slice(-letters)}` : undefined
}
