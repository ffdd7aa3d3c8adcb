import type { Form } from '../../fixtures/contract/index.ts'
import { enumerate } from '../engine/enumerate.ts'
import { groupBy } from './group-by.ts'
import type { Report, RuleReport } from './report.ts'

/** The must rules of a run that could not be judged because the target file lacks something, and what to do about it. */

export interface Unjudged {
  /** The fields that the target file lacks. */
  readonly lacks: readonly string[]
  /** What may stand under `notOffered` instead, when the deployment does not have it. */
  readonly offer: string | undefined
  readonly rules: readonly RuleReport[]
}

export const isUnjudged = ({ level, lacks = [] }: RuleReport): boolean => level === 'must' && lacks.length > 0

export const findUnjudged = ({ rules }: Pick<Report, 'rules'>): readonly Unjudged[] =>
  [...groupBy(rules.filter(isUnjudged), ({ form, lacks }) => `${form} ${offerOf(form, lacks!)}`).values()].map(
    rules => ({
      lacks: [...new Set(rules.flatMap(({ lacks }) => lacks!))].sort((a, b) => order.indexOf(a) - order.indexOf(b)),
      offer: offerOf(rules[0]!.form, rules[0]!.lacks!),
      rules,
    }),
  )

/** What a deployment does not have, when it has nothing to put into these fields. */
function offerOf(form: Form, lacks: readonly string[]): string | undefined {
  const lacksOne = (...names: string[]) => lacks.some(field => names.some(name => field.endsWith(`.${name}`)))
  if (lacksOne('organizationId')) return form
  if (lacksOne('serviceId', 'backupId')) return form === 'managed' ? 'managed' : 'backup.get'
  if (lacksOne('dashboardId', 'tileId', 'webhookId')) return 'alert.create'
  return lacksOne('sourceId') ? 'chart.query' : undefined
}

/** Each field is found with the one before it. */
const order = ['cloud.organizationId', 'cloud.serviceId', 'cloud.backupId']

/** A sentence a group: what the target file lacks, and the rules that were not judged for want of it. */
export const describeUnjudged = (report: Pick<Report, 'rules'>): readonly string[] =>
  findUnjudged(report).map(
    ({ lacks, offer, rules }) => `${adviceOn({ lacks, offer })} (not judged in ${rules[0]!.form}: ${shorten(rules)})`,
  )

export const adviceOn = ({ lacks, offer }: Pick<Unjudged, 'lacks' | 'offer'>): string =>
  `add ${enumerate(lacks)} to the target file${offer ? `, or list ${JSON.stringify(offer)} under notOffered` : ''}`

/** The ids of rules: of a subject with several, its name and how many. */
function shorten(rules: readonly RuleReport[]): string {
  const subjects = groupBy(new Set(rules.map(({ id }) => id)), id => id.replace(/\/.*/, ''))
  return [...subjects].map(([subject, ids]) => (ids.length === 1 ? ids[0] : `${ids.length} of ${subject}/`)).join(', ')
}
