import { organizations } from './model.ts'

export const models = [organizations]
export const handlers = {}
export const faults = {}
