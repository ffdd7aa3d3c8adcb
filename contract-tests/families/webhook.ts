import { nameOf } from '../visits/life.ts'
import { type Thing, visit } from '../visits/visit.ts'

/** Webhooks of a self-hosted deployment, which lead to an address that nobody has. They are listed, and not got. */
export const { steps } = visit('selfHosted', 'webhook', run => {
  const url = 'https://stack-parity.invalid/'
  const created = run.call('webhook.create', {
    creates: 'webhook',
    body: past => ({ name: nameOf(past, 'webhook', 'main'), service: 'generic', url }),
  })
  const on: Thing = { line: created, resource: 'webhook' }
  const listed = run.call('webhook.list', { from: [created] })
  const updated = run.call('webhook.update', {
    ...{ on, after: [listed] },
    body: past => ({ name: nameOf(past, 'webhook', 'main'), service: 'generic', url: `${url}changed` }),
  })
  run.call('webhook.list', { name: 'webhook.list-after-update', from: [updated] })
  const deleted = run.call('webhook.delete', { on, deletes: { resource: 'webhook', step: created } })
  run.call('webhook.list', { name: 'webhook.list-after-delete', from: [deleted] })
})
