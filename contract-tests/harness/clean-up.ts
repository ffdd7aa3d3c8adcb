import type { Form, OperationId } from '../../fixtures/contract/index.ts'
import { pathOf, pathValues } from '../visits/paths.ts'
import { type Exchange, isSuccess } from './exchange.ts'
import type { Ledger, LedgerEntry } from './ledger.ts'
import { isWhole, listIn } from './pages.ts'
import { idOf, sameId } from './recognise.ts'
import type { Step } from './step.ts'
import type { TargetFile } from './target.ts'
import type { Visit } from './visit.ts'

/**
 * Deletes what stands in the ledger and is not yet deleted, alerts before dashboards; what has no id there (its creation
 * got no answer) is looked for by its run-marked name, and what was never read back is looked at first. Nothing else is ever
 * deleted.
 */
export async function cleanUp(
  target: TargetFile,
  ledger: Ledger,
  send: Visit['send'],
  isConfirmed: Visit['isConfirmed'] = () => false,
): Promise<readonly Exchange[]> {
  const exchanges: Exchange[] = []
  const rank = (entry: LedgerEntry) => (entry.resource === 'alert' ? 0 : 1)
  const keep = (exchange: Exchange | undefined) => {
    if (exchange) exchanges.push(exchange)
    return exchange
  }
  const lists = new Map<string, Promise<Exchange | undefined>>()
  const listOf = (form: Form, resource: LedgerEntry['resource']) => {
    const key = `${form} ${resource}`
    const path = pathOf(`${resource}.list`, form, pathValues(target))
    if (!lists.has(key) && path)
      lists.set(key, send(cleaningStep(form, `${resource}.list`, 'GET'), { path }).then(keep))
    return lists.get(key)
  }
  for (const entry of [...ledger.left()].sort((a, b) => rank(a) - rank(b))) {
    const { form, resource, name } = entry
    if (entry.id !== undefined && !isConfirmed(entry)) {
      const list = listIn(await listOf(form, resource), resource)
      const shown = list?.find(item => sameId(idOf(item, resource) ?? '', entry.id!))?.name
      // The id of something else: the answer to the creation was wrong.
      if (typeof shown === 'string' && !shown.startsWith(name)) continue
    }
    if (entry.id === undefined) {
      const answer = await listOf(form, resource)
      const list = listIn(answer, resource)
      const found = idOf(
        list?.find(item => item.name === name),
        resource,
      )
      if (found) ledger.created(entry, found)
      else if (answer && isWhole(answer, resource)) ledger.dismiss(entry)
      else continue
    }
    if (entry.id === undefined) continue
    const path = pathOf(`${resource}.delete`, form, { ...pathValues(target), id: entry.id })
    if (!path) continue
    const exchange = keep(await send(cleaningStep(form, `${resource}.delete`, 'DELETE'), { path }))
    const gone =
      exchange && (isSuccess(exchange) || exchange.response.status === 404 || exchange.response.status === 410)
    if (gone) ledger.deleted(form, entry.id)
  }
  return exchanges
}

const cleaningStep = (form: Form, operation: OperationId, method: string): Step => ({
  name: `${form}:clean-up`,
  form,
  phase: 99,
  method,
  as: 'key',
  operation,
  why: 'deletes what the run created',
  draft: () => ({ skip: 'worked out by the clean-up' }),
})
