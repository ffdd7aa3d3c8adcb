import { readRecords } from '../ask.ts'
import type { Choice } from '../schema-fields.ts'
import { type Kind, kinds, type Listed, nameOfRecord, type Place, scopeOf } from './kinds.ts'

type Choices = Readonly<Record<string, readonly Choice[]>>

interface Tiles {
  readonly tiles?: readonly { readonly id: string; readonly name: string }[]
}

/** What the fields of a kind that hold ids may be chosen from, by the names of the fields. */
export async function readChoices({ one }: Kind, place: Place): Promise<Choices> {
  const list = async (name: keyof typeof kinds) => {
    const scope = scopeOf(kinds[name], place)
    return (await readRecords<{ readonly records: readonly Listed[] }>(name, scope, { limit: '500' })).records
  }
  const choose = async (name: keyof typeof kinds) =>
    (await list(name)).map(record => ({ value: record.id, says: nameOfRecord(record) }))
  if (one === 'alert') {
    const dashboards = await list('dashboards')
    const tiles = dashboards.flatMap(dashboard =>
      ((dashboard as Tiles).tiles ?? []).map(({ id, name }) => ({ value: id, says: name, within: dashboard.id })),
    )
    const dashboardId = dashboards.map(record => ({ value: record.id, says: nameOfRecord(record) }))
    return { dashboardId, tileId: tiles, webhookId: await choose('webhooks') }
  }
  if (['member', 'invitation', 'key'].includes(one)) return { assignedRoleIds: await choose('roles') }
  return {}
}
