import type { Form } from '../../fixtures/contract/index.ts'
import type { Check } from '../engine/check.ts'
import type { Step } from '../engine/step.ts'
import { answers } from '../rules/observations.ts'
import { read } from './reads.ts'

export const checks = {
  'backupConfiguration/get-answers': answers(() => ['cloud:backupConfiguration.get']),
} as const satisfies Record<string, Check>

export const steps = (form: Form): readonly Step[] => (form === 'cloud' ? [read('backupConfiguration.get')] : [])
