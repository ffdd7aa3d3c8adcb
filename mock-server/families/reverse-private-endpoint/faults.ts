import { lifeFaults } from '../../faults/lifecycle.ts'

export const faults = lifeFaults('reversePrivateEndpoint', ['description', 'Somewhere else'])
