import type { Form } from '../../fixtures/contract/index.ts'
import { enumerate } from '../engine/enumerate.ts'
import { groupBy } from '../engine/group-by.ts'
import { isFailLevel, type Report, type RuleReport } from './report.ts'

/** Rules without a verdict that the exit status asks for, and why. */

/** True for a must rule that could not be judged because the target file lacks something. */

export const isUnjudged = ({ level, lacks = [] }: RuleReport): boolean => level === 'must' && lacks.length > 0

export const findUnjudged = ({ rules }: Pick<Report, 'rules'>) =>
  [...groupBy(rules.filter(isUnjudged), ({ form, lacks }) => `${form} ${offerOf(form, lacks!)}`).values()].map(
    rules => ({
      lacks: [...new Set(rules.flatMap(({ lacks }) => lacks!))].sort((a, b) => order.indexOf(a) - order.indexOf(b)),
      /** The entry that the target file may list under `notOffered` instead. */
      offer: offerOf(rules[0]!.form, rules[0]!.lacks!),
      rules,
    }),
  )

/** The form or operation that a deployment without these values does not offer. */
function offerOf(form: Form, lacks: readonly string[]): string | undefined {
  const lacksAny = (...names: string[]) => lacks.some(field => names.some(name => field.endsWith(`.${name}`)))
  if (lacksAny('organizationId')) return form
  if (lacksAny('serviceId', 'backupId')) return form === 'managed' ? 'managed' : 'backup.get'
  if (lacksAny('dashboardId', 'tileId', 'webhookId')) return 'alert.create'
  return lacksAny('sourceId') ? 'chart.query' : undefined
}

/** The order in which a run finds these ids. */
const order = ['cloud.organizationId', 'cloud.serviceId', 'cloud.backupId']

/** A sentence for each group of missing fields. */
export const describeUnjudged = (report: Pick<Report, 'rules'>): readonly string[] =>
  findUnjudged(report).map(
    ({ lacks, offer, rules }) => `${adviceOn({ lacks, offer })} (not judged in ${rules[0]!.form}: ${listRules(rules)})`,
  )

/** Reasons that are named; the reports have all of them. */
const MAX_REASONS = 12

/** True for a rule that the environment kept from being judged, if its level counts. Of a recording, one must rule is enough. */
export const isPrevented = (
  { failOn, recording }: Pick<Report, 'failOn' | 'recording'>,
  { outcome, level }: RuleReport,
): boolean => outcome === 'errored' && !recording && isFailLevel(level, failOn)

/** A sentence for each reason why rules are errored; a form that was given up has a line of its own elsewhere. */
export function describePrevented(report: Pick<Report, 'rules' | 'failOn' | 'ended' | 'recording'>): readonly string[] {
  const isEnded = ({ form }: RuleReport) => report.ended?.some(one => one.form === form) ?? false
  const prevented = report.rules.filter(rule => isPrevented(report, rule) && !isEnded(rule))
  const lines = [...groupBy(prevented, ({ form, detail }) => `${form} ${detail}`).values()].map(
    rules => `${rules[0]!.detail} (not judged in ${rules[0]!.form}: ${listRules(rules)})`,
  )
  const more = lines.length - MAX_REASONS
  return more > 0 ? [...lines.slice(0, MAX_REASONS), `${more} more reasons, which the reports name`] : lines
}

type Unjudged = ReturnType<typeof findUnjudged>[number]

export const adviceOn = ({ lacks, offer }: Omit<Unjudged, 'rules'>): string =>
  `add ${enumerate(lacks)} to the target file${offer ? `, or list ${JSON.stringify(offer)} under notOffered` : ''}`

/** The ids of the rules. Several rules of a subject are shown as their number and its name. */
function listRules(rules: readonly RuleReport[]): string {
  const subjects = groupBy(new Set(rules.map(({ id }) => id)), id => id.replace(/\/.*/, ''))
  return [...subjects].map(([subject, ids]) => (ids.length === 1 ? ids[0] : `${ids.length} of ${subject}/`)).join(', ')
}
