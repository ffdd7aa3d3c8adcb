import { incidents } from './model.ts'

export const models = [incidents] as const
