import { type Form, type Gap, type GapId, gaps, type RuleId, rules } from '../../fixtures/contract/index.ts'
import type { Trace } from './journal.ts'
import { gapOf, statusOfKind } from './refusal-table.ts'
import type { Route } from './routes.ts'
import { sayForCloud } from './say.ts'

/** What stands behind an answer: something that the specification states or implies, or a choice of the mock. */
export interface Because {
  readonly basis: 'stated' | 'implied' | 'invented'
  readonly rule?: RuleId | GapId
  readonly why: string
}

const answersOf: Readonly<Record<string, RuleId>> = {
  'member.list': 'member/list-answers-200',
  'backup.get': 'backup/get-answers-200',
  'alert.create': 'alert/create-accepts-the-sample',
  'chart.query': 'chart/query-is-accepted',
  'service.description': 'version/description-is-1.0',
}

const breaks = {
  drop: 'Broken on purpose by chaos: the call was not carried out, and the connection was closed without an answer.',
  truncate: 'Broken on purpose by chaos: the call was carried out, and its answer broke off in the middle.',
} as const

/** Finds the rule or gap behind an answer, and says why it was refused and what would have been accepted. */
export function explain(trace: Trace, routes: readonly Route[]): Because {
  const { call, refusal, route, answer } = trace
  const broken = answer.trouble?.break
  if (broken) return { basis: 'invented', why: breaks[broken] }
  if (refusal) return explainRefusal(trace, routes)
  if (call.method === 'OPTIONS')
    return { basis: 'invented', why: 'Deployments answer OPTIONS everywhere, as a preflight.' }
  const rule = ruleOf(route?.operation)
  if (!rule) return { basis: 'invented', why: 'Deployments have this operation; the specification does not list it.' }
  if (answer.status >= 400) return { basis: 'invented', rule, why: 'Broken on purpose: by a fault or by chaos.' }
  const { level, says } = rules[rule]
  return { basis: level === 'must' ? 'stated' : 'implied', rule, why: says }
}

function ruleOf(operation: string | undefined): RuleId | undefined {
  if (operation === undefined) return undefined
  const rule = answersOf[operation] ?? `${operation.replace('.', '/')}-answers`
  return rule in rules ? (rule as RuleId) : undefined
}

function explainRefusal({ call, form, refusal, route }: Trace, routes: readonly Route[]): Because {
  const says = sayForCloud(refusal!, statusOfKind[refusal!.kind])
  const gap = gapOf(refusal!, route?.operation, call.headers.authorization !== undefined)
  const isPath = refusal!.kind === 'unrouted' || refusal!.kind === 'wrongMethod'
  const nearest = isPath ? nearestRoute(call.method, call.path, routes) : undefined
  const why = nearest ? `${says}. The nearest operation is ${nearest.method} ${nearest.path}` : says
  const known: Gap | undefined = gap && gaps[gap]
  if (known?.forms.includes(form as Form)) {
    const basis = known.because.startsWith('Deployments') ? 'invented' : 'implied'
    return { basis, rule: gap, why: `${why}. ${known.because}` }
  }
  if (statusOfKind[refusal!.kind] !== 400 || form === 'selfHosted') return { basis: 'invented', why }
  return { basis: 'stated', rule: 'error/bad-request-has-error-sentence', why }
}

/** The route that shares most words with a path, in the same place; of equals, the one with the same method. */
export function nearestRoute(method: string, path: string, routes: readonly Route[]): Route | undefined {
  const words = path.toLowerCase().split('/')
  const distance = (route: Route) => {
    const wanted = route.path.toLowerCase().split('/')
    const length = Math.max(wanted.length, words.length)
    let sum = route.method === method ? 0 : 0.5
    for (let i = 0; i < length; i++) sum += between(wanted[i], words[i])
    return sum
  }
  return routes.toSorted((a, b) => distance(a) - distance(b))[0]
}

function between(wanted: string | undefined, word: string | undefined): number {
  if (wanted === undefined || word === undefined) return 1
  if (wanted.startsWith('{')) return word === '' ? 1 : 0.1
  if (wanted === word) return 0
  // Half of the way for words that begin alike, such as a singular for a plural.
  return wanted.slice(0, 4) === word.slice(0, 4) ? 0.5 : 1
}
