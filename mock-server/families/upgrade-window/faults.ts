import { optionalFaults } from '../../faults/optional.ts'

export const faults = optionalFaults('upgradeWindow', 'replace', ['weekday', 6])
