import { unknownId } from '../../words/refusal.ts'
import type { Request } from '../family.ts'
import { accept } from './accept.ts'

/**
 * The request of a PATCH with what it leaves out as it stands, so that it is judged and done like one that sends all.
 * `written` is the thing as the API writes it; a sent name of a group stands for all names of the group.
 */
export function fillPatch(
  request: Request,
  kind: Parameters<typeof unknownId>[0],
  written: string | undefined,
  properties: ReadonlySet<string>,
  group: readonly string[] = [],
): Request {
  accept(request, { id: true })
  if (written === undefined) throw unknownId(kind)
  const { body } = request
  if (typeof body !== 'object' || body === null || Array.isArray(body)) return request
  const isReplaced = (name: string) => group.includes(name) && group.some(one => one in body)
  const kept = Object.entries(JSON.parse(written)).filter(([name]) => properties.has(name) && !isReplaced(name))
  return { ...request, body: { ...Object.fromEntries(kept), ...body } }
}
