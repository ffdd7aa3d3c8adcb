import type { Alert } from '../../../../words/resources.ts'
import { tellThreshold } from '../alert-words.ts'
import { element } from '../element.ts'
import { badge, table, toneOfState } from '../parts.ts'

/** The alerts of a stack with their states, those that fire first. */
export function renderAlerts(alerts: readonly Alert[]): HTMLElement {
  if (alerts.length === 0) return element('p.empty', 'There are no alerts: create one in World.')
  const urgency = ({ state }: Alert) => ['ALERT', 'PENDING'].indexOf(state) + (state === 'OK' ? 9 : 1)
  const rows = alerts
    .toSorted((one, other) => urgency(one) - urgency(other))
    .map(alert => [
      alert.name || alert.id,
      element('span', [badge(alert.state, toneOfState(alert.state, 'plain')), groupsOf(alert)]),
      tellThreshold(alert),
      alert.evaluatedUntil === undefined ? 'not yet' : new Date(alert.evaluatedUntil).toISOString().slice(11, 16),
    ])
  return table('States of alerts', ['alert', 'state', 'fires', 'looked at until'], rows)
}

/** The groups of a grouped alert that are not in order. */
const groupsOf = ({ groups = {} }: Alert): string =>
  Object.keys(groups).length === 0 ? '' : ` ${Object.keys(groups).join(', ')}`
