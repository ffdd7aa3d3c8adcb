import type { Form } from '../../fixtures/contract/index.ts'
import type { Check, Evidence } from '../engine/check.ts'
import { isSuccess } from '../engine/exchange.ts'
import { listIn } from '../engine/pages.ts'
import { idOf } from '../engine/recognise.ts'
import { probesOfRule } from '../visits/probes.ts'
import { membersIn } from './2.2-member.ts'
import { resultIn } from './fields.ts'
import { refusesProbes } from './probes.ts'
import { checkOf, each, stepsOfForm } from './steps.ts'

/** §4.1, §4.2 No answer shows data of another organization or service. */

const foreignService = ['foreign-service']

const refusedSteps = (form: Form) => [
  ...stepsOfForm(foreignService)(form),
  ...(
    [
      'isolation/unknown-organization-is-refused',
      'isolation/foreign-organization-is-refused',
      'isolation/unknown-service-is-refused',
      'isolation/foreign-service-is-refused',
    ] as const
  ).flatMap(rule => probesOfRule(rule, form).map(({ name }) => name)),
]

const stepsWithOwnData = stepsOfForm([
  'cloud:member.list',
  'cloud:member.list-of-second-organization',
  'cloud:backup.get',
  'managed:dashboard.list',
])

/** Texts that only the owner of an organization or a service may see. */
function ownTexts(evidence: Evidence): readonly string[] {
  const values = evidence
    .exchangesOf(...stepsWithOwnData(evidence.form))
    .filter(isSuccess)
    .flatMap((exchange): unknown[] => {
      if (exchange.form === 'managed')
        return (listIn(exchange, 'dashboard') ?? []).map(dashboard => idOf(dashboard, 'dashboard'))
      const backup = resultIn(exchange)
      if (backup) return [backup.backupName, backup.startedAt, backup.finishedAt]
      return (membersIn(exchange) ?? []).flatMap(({ userId, email }) => [userId, email])
    })
  // Shorter texts may occur in a refusal by chance.
  return values.filter((value): value is string => typeof value === 'string' && value.length >= 8)
}

export const checks = {
  'isolation/unknown-organization-is-refused': refusesProbes('isolation/unknown-organization-is-refused'),
  'isolation/foreign-organization-is-refused': refusesProbes('isolation/foreign-organization-is-refused'),
  'isolation/unknown-service-is-refused': refusesProbes('isolation/unknown-service-is-refused'),
  'isolation/foreign-service-is-refused': refusesProbes('isolation/foreign-service-is-refused', foreignService),
  'isolation/unknown-id-is-refused': refusesProbes('isolation/unknown-id-is-refused'),
  'isolation/other-kinds-id-is-refused': refusesProbes('isolation/other-kinds-id-is-refused'),
  'isolation/refusals-show-nothing': checkOf(
    form => [...refusedSteps(form), ...stepsWithOwnData(form)],
    (_, evidence) => {
      const texts = ownTexts(evidence)
      const check = each(refusedSteps, exchange => {
        // A success breaks one of the rules above.
        if (isSuccess(exchange) || texts.length === 0) return undefined
        const shown = texts.find(
          text => exchange.response.text.includes(text) && !decodeURIComponent(exchange.request.path).includes(text),
        )
        const expected = 'a refusal without data of another organization or service'
        return shown === undefined ? [] : [{ expected, got: shown }]
      })
      return check.judge(evidence)
    },
  ),
} as const satisfies Record<string, Check>
