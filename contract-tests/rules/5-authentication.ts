import type { Form, RuleId } from '../../fixtures/contract/index.ts'
import type { Check } from '../engine/check.ts'
import { isSuccess } from '../engine/exchange.ts'
import { isShownBySpecification } from '../engine/paths.ts'
import {
  badCredentials,
  isTriedOnlyWhereShown,
  type ProbeRule,
  probeName,
  sampleList,
  stepsWithGoodCredentials,
} from '../visits/authentication.ts'
import { refusesProbes } from './probes.ts'
import { observe, observeRefusal, unobservable } from './steps.ts'

/** §5 No success without good credentials, for each operation and kind of bad credentials. */

type ElsewhereId = `${ProbeRule}-elsewhere` & RuleId
const rules = Object.keys(badCredentials) as ProbeRule[]
const probeChecks = Object.fromEntries(
  rules.flatMap(rule => [
    [rule, refusesProbes(rule, [], isShownBySpecification)],
    ...(isTriedOnlyWhereShown(rule)
      ? []
      : [[`${rule}-elsewhere`, refusesProbes(rule, [], (...tried) => !isShownBySpecification(...tried))]]),
  ]),
) as Record<ProbeRule | ElsewhereId, Check>

const letterCase: Check = observe(
  form => [inOtherCase(form), ...stepsWithGoodCredentials(form, sampleList(form))],
  (_, { form, exchangesOf }) => {
    const [other] = exchangesOf(inOtherCase(form))
    const good = exchangesOf(...stepsWithGoodCredentials(form, sampleList(form))).some(isSuccess)
    return other && good ? (isSuccess(other) ? 'accept' : 'refuse') : undefined
  },
)

const inOtherCase = (form: Form) => probeName(form, 'nameInOtherCase', sampleList(form))
const withoutCredentials = (form: Form) => probeName(form, 'none', sampleList(form))

export const checks = {
  ...probeChecks,
  'auth/missing-credentials': observeRefusal(withoutCredentials),
  'auth/invalid-credentials': observeRefusal(form => probeName(form, 'wrongSecret', sampleList(form))),
  'auth/challenge': observe(
    form => [withoutCredentials(form)],
    ([{ response }]) =>
      response.status === 401 ? (response.headers['www-authenticate'] ? 'present' : 'absent') : undefined,
  ),
  'auth/key-id-letter-case': letterCase,
  'auth/token-letter-case': letterCase,
  'auth/key-of-another-organization': observeRefusal('member.list under another organization'),
  'auth/permissions': unobservable('it requires a key of every role, and a target has one key'),
} as const satisfies Record<string, Check>
