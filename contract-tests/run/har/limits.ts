import type { Form } from '../../../fixtures/contract/index.ts'
import type { Verdict } from '../../engine/check.ts'
import { type Exchange, isSuccess } from '../../engine/exchange.ts'
import { isUuid } from '../../engine/recognise.ts'

/** What a recording cannot tell, and why. */

const whichCredential = 'a recording does not tell what is wrong with a credential'

/** Why no recording can answer a rule: only the sender knows what its request is. */
export function unanswerable(rule: string): string | undefined {
  if (/^auth\/(?:empty-secret|wrong-secret|wrong-key-id|malformed-credentials|other-forms|ingestion-key)/.test(rule))
    return whichCredential
  if (rule === 'backup/unknown-id-is-refused') return 'a recording does not tell which ids do not exist'
  return undefined
}

/** The reason for a rule whose requests were all refused; undefined when there are none. */
export function whyRefused(rule: string, form: Form, exchanges: readonly Exchange[]): string | undefined {
  const [subject, claim] = rule.split('/')
  const verb =
    { 'create-accepts-the-sample': 'create', 'query-is-accepted': 'query' }[claim!] ??
    /^(\w+)-answers/.exec(claim!)?.[1]
  const statuses = exchanges
    .filter(exchange => exchange.form === form && exchange.operation === `${subject}.${verb}` && !isSuccess(exchange))
    .map(({ response }) => response.status)
  if (statuses.length === 0) return undefined
  const shown = [...new Set(statuses)].sort().join(', ')
  return `it was answered with ${shown}, and a recording does not tell whether the request could succeed`
}

/** Excuses a breach that another session may have caused by writing between two requests. */
export function excuse(rule: string, verdict: Verdict): Verdict {
  if (verdict.outcome !== 'broken') return verdict
  const isName = rule.endsWith('/created-is-got') && verdict.detail?.includes(' at $.name')
  const excused = rule === 'member/list-is-whole-and-steady' || /\/(?:created-is-listed|updated-is-got)$/.test(rule)
  if (!isName && !excused) return verdict
  return {
    outcome: 'not-applicable',
    detail: `a recording cannot tell whether another session wrote in between: ${verdict.detail}`,
    exchanges: [],
  }
}

/** False for rules that need more of an exchange than its recording has. */
export function isReadable(rule: string, exchange: Exchange): boolean {
  switch (rule) {
    // Without any content type the recorder may have left out the headers.
    case 'service/json-is-labelled':
      return 'content-type' in exchange.response.headers || Object.keys(exchange.response.headers).length > 0
    // Ids may have been taken out of the paths of a recording.
    case 'backup/id-is-the-one-asked-for':
      return isUuid(idIn(exchange, 'backups'))
    case 'backup/service-id-is-the-one-asked-for':
      return isUuid(idIn(exchange, 'services'))
    default:
      return true
  }
}

const idIn = ({ request }: Exchange, part: string) => new RegExp(`/${part}/([^/?]+)`).exec(request.path)?.[1]
