import { readTarget } from '../about.ts'
import { listRecords } from '../control.ts'
import type { FormSettings } from '../parts/schema-form.tsx'
import { type Kind, kinds, type ListedRecord, nameOfRecord, type Place, scopeOf } from './kinds.ts'

/** What a form of a kind is helped with: what its fields may be chosen from, and what new items and records begin as. */
export interface Help extends Pick<FormSettings, 'choices' | 'items'> {
  readonly usual?: object
}

interface Tiles {
  readonly tiles?: readonly { readonly id: string; readonly name: string }[]
}

/** Reads what helps with a form of a kind: the ids of what exists in the place. */
export async function readHelp({ one, usual }: Kind, place: Place): Promise<Help> {
  const list = (name: keyof typeof kinds) => listRecords<ListedRecord>(name, scopeOf(kinds[name], place))
  const choose = async (name: keyof typeof kinds) =>
    (await list(name)).map(record => ({ value: record.id, label: nameOfRecord(record) }))
  switch (one) {
    case 'alert': {
      const dashboards = await list('dashboards')
      const tileId = dashboards.flatMap(dashboard =>
        ((dashboard as Tiles).tiles ?? []).map(({ id, name }) => ({ value: id, label: name, within: dashboard.id })),
      )
      const dashboardId = dashboards.map(record => ({ value: record.id, label: nameOfRecord(record) }))
      return { usual, choices: { dashboardId, tileId, webhookId: await choose('webhooks') } }
    }
    case 'dashboard': {
      const logs = (await list('sources')).find(({ kind }) => kind === 'log')
      const tile = errorsByService(logs?.id)
      return { usual: { name: '', tiles: [tile], tags: [] }, items: { tiles: tile, tags: '' } }
    }
    case 'webhook': {
      const { control } = await readTarget()
      return {
        usual: {
          service: 'generic',
          url: `${control?.baseUrl}/control/received/my-webhook`,
          body: '{"text": "{{title}}"}',
        },
      }
    }
    case 'member':
    case 'invitation':
    case 'key':
      return { usual, choices: { assignedRoleIds: await choose('roles') } }
    default:
      return { usual }
  }
}

/** A tile that draws something where there are logs. */
export const errorsByService = (sourceId = '') => ({
  name: 'Errors by service',
  x: 0,
  y: 0,
  w: 12,
  h: 4,
  config: {
    displayType: 'line',
    sourceId,
    groupBy: 'ServiceName',
    select: [{ aggFn: 'count', where: 'SeverityText:"ERROR"', whereLanguage: 'lucene' }],
  },
})
