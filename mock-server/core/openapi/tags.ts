import { type Form, type Group, groups, type OperationId } from '../../../fixtures/contract/index.ts'

/** The headings under which readers of a description look: those of the specification first. */
type Heading = Group | 'Managed observability' | 'Self-hosted observability' | 'About the service'

const order: readonly Heading[] = [
  'Organization',
  'User management',
  'Billing',
  'Service',
  'Backup',
  'OpenAPI',
  'Prometheus',
  'ClickPipes',
  'Managed observability',
  'Self-hosted observability',
  'Role Management',
  'Postgres',
  'UDF',
  'BYOC',
  'About the service',
]

/** `clickPipeSettings.get` is one of the `Click pipe settings`, `activity.list` of the `Activities`. */
export function tagOf(id: OperationId): string {
  const words = id.split('.')[0]!.replace(/[A-Z]/g, letter => ` ${letter.toLowerCase()}`)
  const plural = words.endsWith('s') ? words : words.endsWith('y') ? `${words.slice(0, -1)}ies` : `${words}s`
  return `${plural[0]!.toUpperCase()}${plural.slice(1)}`
}

function headingOf(id: OperationId, form: Form): Heading {
  if (['description', 'root', 'health'].includes(id.split('.')[0]!)) return 'About the service'
  if (form === 'managed') return 'Managed observability'
  return form === 'selfHosted' ? 'Self-hosted observability' : (groups[id] ?? 'About the service')
}

/** Collects the tags of a description, and the groups of tags that Scalar and Redoc show. */
export function groupTags(routes: readonly { readonly operation: OperationId; readonly form: Form }[]) {
  const tagsOf = new Map<Heading, Set<string>>()
  for (const { operation, form } of routes) {
    const heading = headingOf(operation, form)
    tagsOf.set(heading, (tagsOf.get(heading) ?? new Set()).add(tagOf(operation)))
  }
  const tagGroups = order.flatMap(name => (tagsOf.has(name) ? [{ name, tags: [...tagsOf.get(name)!] }] : []))
  return { tags: tagGroups.flatMap(({ tags }) => tags.map(name => ({ name }))), 'x-tagGroups': tagGroups }
}
