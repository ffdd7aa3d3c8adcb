import { optionalFaults } from '../../faults/optional.ts'

export const faults = optionalFaults('scalingSchedule', 'upsert', ['entries', []])
