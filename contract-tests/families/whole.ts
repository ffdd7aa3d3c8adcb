import { type Form, rules } from '../../fixtures/built-contract/index.ts'
import type { Check } from '../engine/check.ts'
import { formsOfLife, resourcesWithLife } from '../engine/creatable-resources.ts'
import { type Exchange, isSuccess, sentIn } from '../engine/exchange.ts'
import { objectIn } from '../engine/history/objects.ts'
import { findMismatch } from '../rules/fields.ts'
import { describeAnswer, observe } from '../rules/steps.ts'
import { updateOf } from '../visits/life.ts'
import { lastOfWhole } from '../visits/whole/whole-life.ts'

/** What deployments do with whole objects, and with what was deleted, where no source says it. */

const linesOf =
  (line: (resource: string) => string, isFor: (resource: string) => boolean = () => true) =>
  (form: Form) =>
    resourcesWithLife
      .filter(resource => formsOfLife(resource).includes(form) && isFor(resource))
      .map(resource => `${form}:${line(resource)}`)

const wholeLists = linesOf(lastOfWhole, resource => `${resource}/whole-is-kept` in rules)
const resourceIn = ({ step }: Exchange) => step.split(/[:.]/)[1]!

/** The names of the fields of a refused body that the accepted one lacks. */
const leftOut = (exchange: Exchange) => {
  const [first] = exchange.earlier ?? []
  const kept = JSON.stringify(sentIn(exchange))
  const names = [...JSON.stringify(sentIn(first)).matchAll(/"(\w+)":/g)].map(([, name]) => name!)
  return [...new Set(names)].filter(name => !kept.includes(`"${name}":`))
}

/** Observes what a write to what was deleted answers, by resource. */
const afterDeletion = (verb: 'delete' | 'update', isFor?: (resource: string) => boolean): Check =>
  observe(
    linesOf(resource => `${resource}.${verb}-after-delete`, isFor),
    (late, { exchanges, form }) => {
      const isDeleted = (one: Exchange) =>
        exchanges.some(other => isSuccess(other) && other.step === `${form}:${resourceIn(one)}.delete`)
      return late
        .filter(isDeleted)
        .map(one => `${resourceIn(one)} ${describeAnswer(one)}`)
        .sort()
    },
  )

export const checks = {
  'whole/refused-fields': observe(wholeLists, (_, { exchanges }) => {
    const created = exchanges.filter(({ step }) => /\.create-whole/.test(step)).filter(isSuccess)
    const fields = created.flatMap(one => leftOut(one).map(name => `${resourceIn(one)} ${name}`))
    return created.length === 0 ? undefined : [...new Set(fields)].sort()
  }),
  'whole/kept-by-replacement': observe(wholeLists, (_, { exchanges }) => {
    const named = (resource: string, name: string) =>
      exchanges.find(({ step }) => step.endsWith(`:${resource}.${name}`))
    const replaced = exchanges.filter(({ step }) => step.endsWith('.update-whole-rest')).filter(isSuccess)
    const fields = replaced.flatMap(update => {
      const resource = resourceIn(update)
      const [before, after] = ['get-whole-after-1', 'get-whole-after-rest'].map(name =>
        objectIn(named(resource, name), resource),
      )
      const unsent = Object.keys(sentIn(named(resource, 'update-whole-1'))).filter(name => !(name in sentIn(update)))
      const isKept = (name: string) =>
        name in before! && !findMismatch({ [name]: before![name] }, { [name]: after![name] }, '$')
      return before && after ? unsent.filter(isKept).map(name => `${resource} ${name}`) : []
    })
    return replaced.length === 0 ? undefined : fields.sort()
  }),
  'whole/second-deletion': afterDeletion('delete'),
  'whole/update-after-deletion': afterDeletion('update', resource => updateOf(resource) !== undefined),
} as const satisfies Record<string, Check>
