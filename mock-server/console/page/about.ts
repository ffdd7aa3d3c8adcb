import type { About } from '../../faces/control/page/answers.ts'
import type { TargetFile } from '../../mock/mock.ts'
import { read } from './control.ts'

export const readAbout = () => read<About>('/control/about')
export const readTarget = () => read<TargetFile>('/control/target')

export const formNames: Readonly<Record<string, string>> = {
  cloud: 'cloud',
  managed: 'managed',
  selfHosted: 'self-hosted',
  sql: 'SQL',
  webhook: 'webhook',
}
