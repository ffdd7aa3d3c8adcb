import type { Form } from '../../../fixtures/contract/index.ts'
import type { Operation, Reason } from './place.ts'
import type { Quirk } from './quirks.ts'
import type { Document } from './world.ts'

/** How successes and refusals look on the wire: different in every form, and unusual on purpose. */

/** An answer before it is sent: `json` where it has a JSON body, else `text`. */
export interface Answer {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly json?: unknown
  readonly text?: string
}

type BodyKind = 'json' | 'problem' | 'text' | 'html' | 'empty'

const malformed = { cloud: '400 json', managed: '404 html', selfHosted: '404 empty' } as const

/** The specification fixes only the shape of a 400 of the cloud API. No refusal has Allow or WWW-Authenticate. */
const refusals: Record<Reason, `${number} ${BodyKind}` | Record<Form, `${number} ${BodyKind}`>> = {
  unauthenticated: { cloud: '403 text', managed: '404 empty', selfHosted: '401 html' },
  'other-organization': '403 problem',
  'malformed-organization-id': malformed,
  'malformed-service-id': malformed,
  'malformed-backup-id': '404 problem',
  'malformed-json': { cloud: '400 json', managed: '400 json', selfHosted: '422 problem' },
  'invalid-body': '400 json',
  'name-taken': '409 problem',
  'not-labelled-json': '415 empty',
  'too-large': '413 text',
  'unknown-organization': '403 problem',
  'unknown-service': '404 text',
  'unknown-backup': '410 problem',
  'unknown-document': { cloud: '404 text', managed: '404 text', selfHosted: '410 html' },
  'update-unknown': { cloud: '404 text', managed: '404 problem', selfHosted: '404 empty' },
  'delete-unknown': '410 empty',
  'unknown-source': '404 problem',
  'unknown-path': { cloud: '404 html', managed: '404 problem', selfHosted: '404 empty' },
  'wrong-method': { cloud: '405 empty', managed: '501 problem', selfHosted: '405 text' },
  'charts-by-post-only': '501 html',
  'charts-absent': '501 text',
  'webhooks-absent': '410 html',
  'key-disabled': '401 problem',
  'key-expired': '401 problem',
  'key-deleted': '403 text',
  'key-from-nowhere': '403 empty',
  forbidden: '403 problem',
}

export function writeRefusal(form: Form, reason: Reason, sentence: string, requestId: string): Answer {
  const choice = refusals[reason]
  const [status, body] = (typeof choice === 'string' ? choice : choice[form]).split(' ')
  const answer = (type: string, rest: Partial<Answer>): Answer => ({
    status: Number(status),
    headers: type ? { 'content-type': type } : {},
    ...rest,
  })
  if (body === 'text') return answer('text/plain', { text: `${sentence}\n` })
  if (body === 'html') return answer('text/html; charset=utf-8', { text: `<!doctype html><p>${sentence}</p>` })
  if (body === 'problem')
    return answer('application/problem+json', { json: { title: reason, detail: sentence, requestId } })
  if (body === 'empty') return answer('', {})
  const json =
    form === 'selfHosted'
      ? { errors: [{ reason, description: sentence }] }
      : { error: sentence, code: reason, status: 400 }
  return answer('application/json; charset=utf-8', { json })
}

/** Shows a document with the form's name for the id, and with further fields. */
function show(form: Form, { id, fields, changedAt }: Document, quirk: Quirk | undefined) {
  if (quirk?.callsId !== undefined)
    return { ...fields, ...(quirk.callsId && { [quirk.callsId]: id }), revised: changedAt }
  if ('tiles' in fields)
    return { ...(form === 'managed' ? { id } : { dashboardId: id }), ...fields, crew: 'night', revised: changedAt }
  const named = form === 'managed' ? { alertId: id } : { _id: id }
  return { ...fields, ...named, crew: 'night', state: 'PENDING', history: [], revised: changedAt }
}

interface Shape {
  readonly status: number
  readonly wrap?: (value: unknown) => unknown
}

const ok: Shape = { status: 200 }
const wrapped = (name: string, status = 200): Shape => ({ status, wrap: value => ({ [name]: value, links: {} }) })
const always = (value: unknown, status = 200): Shape => ({ status, wrap: () => value })

const managed: Partial<Record<Operation, Shape>> = {
  'dashboard.list': wrapped('items'),
  'dashboard.create': wrapped('dashboard', 201),
  'dashboard.update': wrapped('data'),
  'dashboard.delete': always({}),
  'alert.create': { status: 202 },
  'alert.get': wrapped('alert'),
  'alert.delete': always([]),
  'source.list': wrapped('sources'),
}

const selfHosted: Partial<Record<Operation, Shape>> = {
  'dashboard.create': wrapped('data', 201),
  'dashboard.update': wrapped('dashboard'),
  'dashboard.delete': always(undefined, 204),
  'alert.list': wrapped('alerts'),
  'alert.create': wrapped('alert'),
  'alert.get': wrapped('data', 203),
  'alert.update': { status: 202 },
  'alert.delete': always(undefined, 204),
  'source.list': wrapped('items'),
}

const cloud: Partial<Record<Operation, Shape>> = {
  'key.create': { status: 201 },
  'key.delete': always(undefined, 204),
  'role.delete': always([]),
}

/** Writes a success. The cloud and managed forms wrap everything except the description. */
export function writeSuccess(
  form: Form,
  operation: Operation,
  value: unknown,
  requestId: string,
  quirk?: Quirk,
): Answer {
  const { status, wrap = same => same } = { managed, selfHosted, cloud }[form][operation] ?? ok
  const shown = Array.isArray(value) ? value.map(one => showAny(form, one, quirk)) : showAny(form, value, quirk)
  const json = operation.endsWith('.create') && quirk?.answersCreation ? brief(value as Document, quirk) : wrap(shown)
  const headers = { 'content-type': 'application/json; charset=utf-8' }
  if (json === undefined) return { status, headers: {} }
  if (form === 'selfHosted' || operation === 'description.get') return { status, headers, json }
  return { status, headers, json: { requestId, result: json, tookMs: 0.25, status } }
}

const brief = ({ id }: Document, { answersCreation }: Quirk) => (answersCreation === 'id' ? { id } : { done: true })

const showAny = (form: Form, value: unknown, quirk?: Quirk) =>
  typeof value === 'object' && value !== null && 'fields' in value ? show(form, value as Document, quirk) : value
