import type { Form } from '../../../fixtures/contract/index.ts'
import type { Drift } from '../../report/report.ts'
import { createDrift } from './difference.ts'
import { type Description, expectedOperations, type Shown } from './read-document.ts'

/**
 * What the document shows beside the contract: more operations on its resources, and, where the specification lists all
 * resources (§1), more resources. A client of the contract notices none of it, so all of it is additive: also the
 * operations that the specification calls absent, which go by the name of the rule that a deployment with them breaks.
 */
export function findBeside(form: Form, description: Description): Drift[] {
  const { shown, segment } = description
  const expected = expectedOperations(form, description)
  const isOurs = ({ method, shape }: Shown) =>
    expected.some(({ counterpart }) => counterpart?.method === method && counterpart.shape === shape)
  const managed = `/v1/organizations/{}/services/{}/${segment}/`
  const base = { cloud: undefined, managed, selfHosted: '/api/v2/' }[form]
  // Longest first: backups are below a service, and a service is below an organization.
  const roots = expected
    .map(({ id, shape }) => ({ root: rootOf(shape), resource: id.split('.')[0]! }))
    .filter(({ root }) => !tops.includes(root))
    .sort((a, b) => b.root.length - a.root.length)
  const found = new Map<string, Set<string>>()
  const add = (id: string, what: string) => found.set(id, (found.get(id) ?? new Set()).add(what))
  for (const one of shown.filter(one => !isOurs(one))) {
    if (form === 'cloud' && segment !== '' && one.shape.startsWith(managed)) continue
    const owner = roots.find(({ root }) => one.shape === root || one.shape.startsWith(`${root}/`))
    const name = `${one.method} ${one.shape}`
    const resource = base && one.shape.startsWith(base) ? one.shape.slice(base.length).split('/')[0]! : undefined
    if (form === 'managed' && (resource === 'charts' || resource === 'webhooks'))
      add(`${resource.slice(0, -1)}/absent-in-managed-form`, name)
    else if (form === 'selfHosted' && one.shape === '/api/v2/charts/series')
      add('chart/other-methods-never-succeed', name)
    else if (owner) add(`${form}:${owner.resource}/operations-new`, name)
    else if (resource) add(`${form}:resources-new`, resource)
  }
  return [...found].map(([id, what]) => createDrift('additive', id, null, [...what].sort()))
}

/** Paths that stand above all resources, and belong to none. */
const tops = ['/v1', '/api/v2']

const rootOf = (shape: string) => shape.replace(/\/\{\}$/, '').replace(/\/series$/, '')
