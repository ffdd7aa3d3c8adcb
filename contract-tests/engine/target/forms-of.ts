import type { Form } from '../../../fixtures/contract/index.ts'
import type { TargetFile } from './target.ts'

export const everyForm = ['cloud', 'managed', 'selfHosted'] as const satisfies readonly Form[]

/** The forms that a target has: the managed form is a part of the cloud API, unless the file says that it is not offered. */
export const formsOf = ({ cloud, selfHosted, notOffered = [] }: TargetFile): readonly Form[] =>
  everyForm.filter(form => (form === 'selfHosted' ? selfHosted : cloud) && !notOffered.includes(form))
