import { teams } from './model.ts'

export const models = [teams]
export const handlers = {}
export const faults = {}
