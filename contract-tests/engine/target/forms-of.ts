import type { Form } from '../../../fixtures/contract/index.ts'
import type { TargetFile } from './target.ts'

export const everyForm = ['cloud', 'managed', 'selfHosted'] as const satisfies readonly Form[]

export const formsOf = ({ cloud, selfHosted, notOffered = [] }: TargetFile): readonly Form[] =>
  everyForm.filter(form => (form === 'selfHosted' ? selfHosted : cloud) && !notOffered.includes(form))
