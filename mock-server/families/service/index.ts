import { services } from './model.ts'

export const models = [services]
export const handlers = {}
export const faults = {}
