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

/** The same rules on operations that the specification does not show. */
type ElsewhereId = `${ProbeRule}-elsewhere` & RuleId
const probeRules = Object.keys(badCredentials) as ProbeRule[]
const isElsewhere: typeof isShownBySpecification = (operation, form) => !isShownBySpecification(operation, form)
const probeChecks = Object.fromEntries([
  ...probeRules.map(rule => [rule, refusesProbes(rule, [], isShownBySpecification)]),
  ...probeRules
    .filter(rule => !isTriedOnlyWhereShown(rule))
    .map(rule => [`${rule}-elsewhere`, refusesProbes(rule, [], isElsewhere)]),
]) as Record<ProbeRule | ElsewhereId, Check>

const otherCaseStep = (form: Form) => probeName(form, 'nameInOtherCase', sampleList(form))
const noCredentialsStep = (form: Form) => probeName(form, 'none', sampleList(form))

const letterCase: Check = observe(
  form => [otherCaseStep(form), ...stepsWithGoodCredentials(form, sampleList(form))],
  (_, { form, exchangesOf }) => {
    const [otherCase] = exchangesOf(otherCaseStep(form))
    const good = exchangesOf(...stepsWithGoodCredentials(form, sampleList(form)))
    if (!otherCase || !good.some(isSuccess)) return undefined
    return isSuccess(otherCase) ? 'accept' : 'refuse'
  },
)

export const checks = {
  ...probeChecks,
  'auth/missing-credentials': observeRefusal(noCredentialsStep),
  'auth/invalid-credentials': observeRefusal(form => probeName(form, 'wrongSecret', sampleList(form))),
  'auth/challenge': observe(
    form => [noCredentialsStep(form)],
    ([{ response }]) => {
      if (response.status !== 401) return undefined
      return response.headers['www-authenticate'] ? 'present' : 'absent'
    },
  ),
  'auth/key-id-letter-case': letterCase,
  'auth/token-letter-case': letterCase,
  'auth/key-of-another-organization': observeRefusal('member.list under another organization'),
  'auth/permissions': unobservable('it requires one key for each role, and a target has only one key'),
} as const satisfies Record<string, Check>
