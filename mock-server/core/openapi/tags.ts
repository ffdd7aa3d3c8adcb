import type { Contract, Form, Group, OperationId } from '../../../fixtures/built-contract/index.ts'
import { pluralOf } from '../../words/plural.ts'

/** The groups of tags in the API description, in the order of `headings`: those of the specification first. */
type Heading = Group | 'Managed observability' | 'Self-hosted observability' | 'About the service'

const headings: readonly Heading[] = [
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
  'Notifications',
  'Snapshot',
  'Query API endpoints',
  'Saved queries',
  'Postgres',
  'UDF',
  'BYOC',
  'About the service',
]

/** Plural for resources with several records, such as `Activities`; singular for others, such as `Health`. */
export function tagOf({ operations }: Contract, id: OperationId): string {
  const [resource = ''] = id.split('.')
  const words = wordsOf(resource)
  const isSingleton = !['list', 'create', 'query'].some(verb => `${resource}.${verb}` in operations)
  return capitalise(isSingleton ? words : pluralOf(words))
}

const verbs = [
  'get',
  'create',
  'update',
  'replace',
  'delete',
  'upsert',
  'query',
  'validate',
  'receive',
  'restore',
  'replicate',
]

/** A short name for lists: `List members`, `Get a backup`, `Service state`. */
export function titleOf(id: OperationId): string {
  const fixedTitles: Readonly<Record<string, string>> = {
    'root.get': 'API version',
    'health.get': 'Health',
    'readiness.get': 'Readiness',
    'description.get': 'API description',
  }
  const fixedTitle = fixedTitles[id]
  if (fixedTitle !== undefined) return fixedTitle
  const [resource = '', verb = ''] = id.split('.')
  const words = wordsOf(resource)
  if (verb === 'list') return `List ${pluralOf(words)}`
  if (!verbs.includes(verb)) return capitalise(`${words} ${wordsOf(verb)}`)
  const article = words.endsWith('s') ? '' : /^(?:[aeio]|u(?!sage))/.test(words) ? 'an ' : 'a '
  return capitalise(`${verb} ${article}${words}`)
}

export const wordsOf = (name: string) =>
  name
    .replace(/[A-Z]/g, letter => ` ${letter.toLowerCase()}`)
    .replace(/^(?:udf|byoc)|click pipe|postgres|prometheus|cdc|clickhouse/g, word => properNames[word] ?? word)

const properNames: Readonly<Record<string, string>> = {
  udf: 'UDF',
  byoc: 'BYOC',
  cdc: 'CDC',
  postgres: 'Postgres',
  prometheus: 'Prometheus',
  clickhouse: 'ClickHouse',
  'click pipe': 'ClickPipe',
}

export const capitalise = (words: string) => `${words[0]!.toUpperCase()}${words.slice(1)}`

function headingOf({ groups }: Contract, id: OperationId, form: Form): Heading {
  if (['description', 'root', 'health', 'readiness'].includes(id.split('.')[0]!)) return 'About the service'
  if (form === 'managed') return 'Managed observability'
  return form === 'selfHosted' ? 'Self-hosted observability' : (groups[id] ?? 'About the service')
}

/** Collects the tags of a description, and the groups of tags that Scalar and Redoc show. */
export function groupTags(
  contract: Contract,
  routes: readonly { readonly operation: OperationId; readonly form: Form }[],
) {
  const tagsOf = new Map<Heading, Set<string>>()
  for (const { operation, form } of routes) {
    const heading = headingOf(contract, operation, form)
    tagsOf.set(heading, (tagsOf.get(heading) ?? new Set()).add(tagOf(contract, operation)))
  }
  const tagGroups = headings.flatMap(name => (tagsOf.has(name) ? [{ name, tags: [...tagsOf.get(name)!] }] : []))
  return { tags: tagGroups.flatMap(({ tags }) => tags.map(name => ({ name }))), 'x-tagGroups': tagGroups }
}
