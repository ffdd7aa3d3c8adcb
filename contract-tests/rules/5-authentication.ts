import type { Form, RuleId } from '../../fixtures/contract/index.ts'
import type { Check } from '../engine/check.ts'
import { isSuccess } from '../engine/exchange.ts'
import { isShownBySpecification } from '../engine/paths.ts'
import {
  badCredentials,
  isTriedOnlyWhereShown,
  type ProbeRule,
  probeName,
  sampleOperation,
  stepsWithGoodCredentials,
} from '../visits/authentication.ts'
import { refusesProbes } from './probes.ts'
import { observe, observeRefusal, unobservable } from './steps.ts'

/** §5 No success without good credentials, for each operation and kind of bad credentials. */

/** The rules `…-elsewhere`: a rule of probes, on the operations that the specification does not show. */
type ElsewhereRule = `${ProbeRule}-elsewhere` & RuleId
const probeRules = Object.keys(badCredentials) as ProbeRule[]
const isElsewhere: typeof isShownBySpecification = (operation, form) => !isShownBySpecification(operation, form)
const probeChecks = Object.fromEntries([
  ...probeRules.map(rule => [rule, refusesProbes(rule, [], isShownBySpecification)]),
  ...probeRules
    .filter(rule => !isTriedOnlyWhereShown(rule))
    .map(rule => [`${rule}-elsewhere`, refusesProbes(rule, [], isElsewhere)]),
]) as Record<ProbeRule | ElsewhereRule, Check>

const otherCaseStep = (form: Form) => probeName(form, 'nameInOtherCase', sampleOperation(form))
const noCredentialsStep = (form: Form) => probeName(form, 'none', sampleOperation(form))

const observeLetterCase: Check = observe(
  form => [otherCaseStep(form), ...stepsWithGoodCredentials(form, sampleOperation(form))],
  (_, { form, exchangesOf }) => {
    const [otherCase] = exchangesOf(otherCaseStep(form))
    const good = exchangesOf(...stepsWithGoodCredentials(form, sampleOperation(form)))
    if (!otherCase || !good.some(isSuccess)) return undefined
    return isSuccess(otherCase) ? 'accept' : 'refuse'
  },
)

export const checks = {
  ...probeChecks,
  'auth/missing-credentials': observeRefusal(noCredentialsStep),
  'auth/invalid-credentials': observeRefusal(form => probeName(form, 'wrongSecret', sampleOperation(form))),
  'auth/challenge': observe(
    form => [noCredentialsStep(form)],
    ([{ response }]) => {
      if (response.status !== 401) return undefined
      return response.headers['www-authenticate'] ? 'present' : 'absent'
    },
  ),
  'auth/key-id-letter-case': observeLetterCase,
  'auth/token-letter-case': observeLetterCase,
  'auth/key-of-another-organization': observeRefusal('member.list under another organization'),
  'auth/permissions': unobservable(
    'it requires one key for each role, and a target file has one key of the organization',
  ),
} as const satisfies Record<string, Check>
