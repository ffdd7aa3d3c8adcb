import type { ByocInfrastructure } from './model.ts'
import { lasts } from './model.ts'

/** The stages of setting infrastructure up, each with its resources. The vendor's document names `vpc`; the others are the mock's. */
const stages = [
  ['vpc', ['network', 'subnets', 'nat-gateway']],
  ['kubernetes', ['control-plane', 'node-groups']],
  ['clickhouse', ['operator', 'ingress']],
] as const

/** How far infrastructure is: one stage after the other, for as long as it is being set up. */
export function progressOf({ id, state, beganAt }: ByocInfrastructure, now: number): object {
  const began = Date.parse(beganAt)
  const count = stages.length
  const isGoing = state === 'infra-provisioning'
  const ends = (place: number) => began + ((place + 1) * lasts.provisioning) / count
  const iso = (at: number) => new Date(at).toISOString()
  const statusOf = (place: number) => {
    if (!isGoing || now >= ends(place)) return { status: 'ready', updatedAt: iso(Math.min(ends(place), now)) }
    const begins = ends(place - 1)
    return now >= begins ? { status: 'in_progress', updatedAt: iso(begins) } : { status: 'not_started' }
  }
  return {
    id,
    status: isGoing ? 'in_progress' : state === 'infra-degraded' ? 'failed' : 'ready',
    updatedAt: iso(isGoing ? began : Math.min(ends(count - 1), now)),
    stages: stages.map(([name, parts], place) => ({
      name,
      ...statusOf(place),
      subStages: parts.map(part => ({ name: part, ...statusOf(place) })),
    })),
  }
}
