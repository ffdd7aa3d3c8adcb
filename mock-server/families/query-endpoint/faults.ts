import { optionalFaults } from '../../faults/optional.ts'

export const faults = optionalFaults('serviceQueryEndpoint', 'upsert', ['allowedOrigins', '*'])
