import type { TargetFile } from '../../../core/mock.ts'
import type { describeMock } from '../routes.ts'
import { read } from './ask.ts'

/** What `GET /control/about` answers. */
type About = ReturnType<typeof describeMock>
export type Choice = About['choices'][number]
export type ListedRule = About['rules'][number]

export const readAbout = () => read<About>('/control/about')
export const readTarget = () => read<TargetFile>('/control/target')

export const formNames: Readonly<Record<string, string>> = {
  cloud: 'cloud',
  managed: 'managed',
  selfHosted: 'self-hosted',
  webhook: 'webhook',
}
