import { stackRole as resource } from '../../../fixtures/contract/stack-role.ts'
import { invalidAt, refused } from '../../words/refusal.ts'
import { keep, pick } from '../../world/record.ts'
import type { BodyOf, Handlers, Request } from '../family.ts'
import { serveDocuments, stamp } from '../stack/documents.ts'
import { type StackRole, stackRoles } from './model.ts'

export const models = [stackRoles]

const { find, get, list, create, replace } = serveDocuments(stackRoles, 'Role', role => pick(role, resource.fields))

/** A role that may be changed. */
function findOwn(request: Request): StackRole {
  const role = find(request)
  if (role.isPredefined) throw refused(`The predefined role ${role.name} cannot be changed or deleted`)
  return role
}

function refuseTwin(request: Request, name: string, id?: string) {
  const isTwin = (role: StackRole) => role.name.toLowerCase() === name.toLowerCase() && role.id !== id
  if (request.in(stackRoles).list().some(isTwin)) throw refused('A role with this name already exists')
}

const ofRows = ['connection', 'from', 'where', 'whereLanguage']

/** What was sent, each permission with its integration. */
function read<Body extends BodyOf<'stackRole.create'> | BodyOf<'stackRole.update'>>(body: Body) {
  const permissions = body.permissions.map((one, index) => {
    const missing =
      one.integration === 'clickhouse' && one.conditions && ofRows.find(name => !(name in one.conditions!))
    if (missing) throw invalidAt(['permissions', index, 'conditions', missing], 'Required')
    return { integration: 'mongodb' as const, ...one }
  })
  return { ...(keep(body, resource.fields) as Body), permissions }
}

export const handlers = {
  'stackRole.list': list,
  'stackRole.get': get,
  'stackRole.create': request => {
    const sent = read(request.body)
    refuseTwin(request, sent.name)
    return create(request, { ...sent, isPredefined: false, ...stamp(request) })
  },
  'stackRole.update': request => {
    const before = findOwn(request)
    const sent = read(request.body)
    const { name = before.name } = sent
    refuseTwin(request, name, before.id)
    return replace(request, { ...before, ...sent, name, ...stamp(request, before) })
  },
  'stackRole.delete': request => {
    request.in(stackRoles).remove(findOwn(request).id)
    return { kind: 'deleted' }
  },
} as const satisfies Handlers
