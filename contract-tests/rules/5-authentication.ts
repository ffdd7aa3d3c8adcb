import type { Form, OperationId, RuleId } from '../../fixtures/contract/index.ts'
import { type Check, lacking, notApplicable } from '../engine/check.ts'
import type { As } from '../engine/credentials.ts'
import { isSuccess } from '../engine/exchange.ts'
import { isShown } from '../engine/paths.ts'
import {
  firstShown,
  goodStep,
  isForShownOnly,
  type ProbeRule,
  probedOperations,
  probeName,
  probes,
  probesOf,
} from '../visits/authentication.ts'
import { look, refusal, unobservable } from './observations.ts'
import { each } from './steps.ts'

/** §5 No success without the credentials of the form, on every operation, for every kind of bad credential. */

/** Judges a rule on the operations that are shown, or on the others; an operation that refuses good credentials too proves nothing. */
function probeCheck(rule: ProbeRule, shown: boolean): Check {
  const operations = (form: Form) =>
    probedOperations(rule, form).filter(operation => isShown(operation, form) === shown)
  const probesOn = (form: Form, probed: readonly OperationId[]) =>
    probed.flatMap(operation => probesOf(rule, form).map(as => probeName(form, as, operation)))
  const goodSteps = (form: Form) => operations(form).flatMap(operation => goodStep(form, operation))
  return {
    reads: form => [...probesOn(form, operations(form)), ...goodSteps(form)],
    judge: evidence => {
      const { form } = evidence
      const proving = operations(form).filter(operation => evidence.of(...goodStep(form, operation)).some(isSuccess))
      if (proving.length === 0) {
        const reason = notApplicable('no operation could be probed: none succeeded with good credentials')
        return lacking(reason, evidence, goodSteps(form))
      }
      return each(probesOn(form, proving), exchange =>
        isSuccess(exchange)
          ? [{ expected: `no success with ${sayAs(exchange.as)}`, got: exchange.response.status }]
          : [],
      ).judge(evidence)
    },
  }
}

const sayAs = (as: As) => (as === 'none' ? 'no credentials' : `bad credentials (${as})`)

type ElsewhereId = `${ProbeRule}-elsewhere` & RuleId
const rules = Object.keys(probes) as ProbeRule[]
const probeChecks = Object.fromEntries(
  rules.flatMap(rule => [
    [rule, probeCheck(rule, true)],
    ...(isForShownOnly(rule) ? [] : [[`${rule}-elsewhere`, probeCheck(rule, false)]]),
  ]),
) as Record<ProbeRule | ElsewhereId, Check>

/** Whether a key id or token is accepted in another letter case. */
const letterCase: Check = look(
  form => [inOtherCase(form), ...goodStep(form, firstShown(form))],
  (_, { form, of }) => {
    const [other] = of(inOtherCase(form))
    const good = of(...goodStep(form, firstShown(form))).some(isSuccess)
    return other && good ? (isSuccess(other) ? 'accept' : 'refuse') : undefined
  },
)

const inOtherCase = (form: Form) => probeName(form, 'nameInOtherCase', firstShown(form))
const withoutCredentials = (form: Form) => probeName(form, 'none', firstShown(form))

export const checks = {
  ...probeChecks,
  'auth/missing-credentials': refusal(withoutCredentials),
  'auth/invalid-credentials': refusal(form => probeName(form, 'wrongSecret', firstShown(form))),
  'auth/challenge': look(
    form => [withoutCredentials(form)],
    ([{ response }]) =>
      response.status === 401 ? (response.headers['www-authenticate'] ? 'present' : 'absent') : undefined,
  ),
  'auth/key-id-letter-case': letterCase,
  'auth/token-letter-case': letterCase,
  'auth/key-of-another-organization': refusal('other-organization'),
  'auth/permissions': unobservable('it takes a key of every role, and a target has one'),
} as const satisfies Record<string, Check>
