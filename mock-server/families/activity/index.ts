import { activities } from './model.ts'

export const models = [activities]
export const handlers = {}
export const faults = {}
