import { keys } from './model.ts'

export const models = [keys]
export const handlers = {}
export const faults = {}
