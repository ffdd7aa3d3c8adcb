import type { ValuesOf } from '../../../fixtures/contract/index.ts'
import { upgradeWindow } from '../../../fixtures/contract/service/upgrade-window.ts'
import type { Faults } from '../../faults/fault.ts'
import { wrongField } from '../../faults/rewrite.ts'
import { Refusal, refused } from '../../words/refusal.ts'
import type { Model } from '../../world/collection.ts'
import { recordSchema } from '../../world/record.ts'
import { answerObject, type Handlers, put, type Request } from '../family.ts'
import { serviceOf, services } from './model.ts'
import { find, findPrimary } from './present.ts'

const { duration: _, ...recordFields } = upgradeWindow.fields
type UpgradeWindow = ValuesOf<typeof recordFields>

const upgradeWindows: Model<UpgradeWindow, 'upgradeWindow'> = {
  name: 'upgradeWindow',
  within: services,
  isSingleton: true,
  record: recordSchema(recordFields),
  seed: (serviceId, { world, isNew }) =>
    !isNew && serviceOf(world, serviceId)?.isPrimary ? [{ weekday: 0, startHourUtc: 6 }] : [],
}
export const models = [upgradeWindows]

/** The window of the primary: secondaries are upgraded with it. */
const windowOf = (request: Request) => request.in(upgradeWindows, findPrimary(request).id)

function refuseSecondary(request: Request, what: string): void {
  if (!find(request).isPrimary) throw refused(`cannot ${what} upgrade window on a secondary service`)
}

const answer = ({ weekday, startHourUtc }: UpgradeWindow) => answerObject({ weekday, startHourUtc, duration: 6 })
const noWindow = () => new Refusal('unknownId', '')

export const handlers = {
  'upgradeWindow.get': request => {
    const window = windowOf(request).get('upgradeWindow')
    if (!window) throw noWindow()
    return answer(window)
  },
  'upgradeWindow.replace': request => {
    refuseSecondary(request, 'set')
    const window = request.body
    put(windowOf(request), upgradeWindows, window)
    return answer(window)
  },
  'upgradeWindow.delete': request => {
    refuseSecondary(request, 'delete')
    if (!windowOf(request).remove('upgradeWindow')) throw noWindow()
    return { kind: 'deleted' }
  },
} as const satisfies Handlers

export const faults = {
  'upgradeWindow/set-is-got': wrongField('upgradeWindow.get', 'weekday', 6),
} as const satisfies Faults
