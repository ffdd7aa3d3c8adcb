import type { RunContext } from '../engine/step.ts'
import { nameOf } from '../visits/life.ts'
import { addPages } from '../visits/lists.ts'
import { type CallOptions, type CreatedObject, type Run, visit } from '../visits/visit.ts'

/** Webhooks to an address that does not exist; in the managed form only where a deployment lists them. */
function write(run: Run): void {
  const ifListed: CallOptions = run.form === 'managed' ? { ifSucceeds: 'managed:webhooks' } : {}
  const body = (context: RunContext, tail = '') => ({
    name: nameOf(context, 'webhook', 'main'),
    service: 'generic',
    url: `https://stack-parity.invalid/${tail}`,
  })
  if (run.form === 'managed') {
    run.call('webhook.list', { ...ifListed, name: 'webhook.list-before', why: 'lists the webhooks that are there' })
    run.call('webhook.validate', { ...ifListed, body })
  }
  const created = run.call('webhook.create', { ...ifListed, creates: 'webhook', body })
  const on: CreatedObject = { line: created, resource: 'webhook' }
  const listed = run.call('webhook.list', { ...ifListed, from: [created] })
  addPages(run, 'webhook.list', listed, call => run.make('webhook.list', { ...call, name: `webhook.${call.name}` }))
  const updated = run.call('webhook.update', {
    on,
    after: [listed],
    body: (context: RunContext) => body(context, 'changed'),
  })
  run.call('webhook.list', { ...ifListed, name: 'webhook.list-after-update', from: [updated] })
  const deleted = run.call('webhook.delete', { on, deletes: { resource: 'webhook', step: created } })
  run.call('webhook.list', { ...ifListed, name: 'webhook.list-after-delete', from: [deleted] })
}

export const steps = (['managed', 'selfHosted'] as const).flatMap(form => visit(form, 'webhook', write).steps)
