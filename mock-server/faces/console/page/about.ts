import type { TargetFile } from '../../../core/mock.ts'
import { read } from './ask.ts'

/** What `GET /control/about` answers. */
export interface About {
  readonly version?: string
  readonly hostname: string
  readonly startedWith: Readonly<Record<string, string>>
  readonly seed: number
  readonly size: Readonly<Record<string, number>>
  readonly start: string
  readonly segment: string
  readonly selfHostedStack: string
  readonly choices: readonly Choice[]
  readonly rules: readonly ListedRule[]
  readonly canVerify: boolean
}

export interface Choice {
  readonly id: string
  readonly form: string
  readonly section: string
  readonly asks: string
  readonly usual?: string
  readonly takes?: string
  readonly choices: readonly string[]
  readonly because: string
}

export interface ListedRule {
  readonly id: string
  readonly section: string
  readonly level: 'must' | 'should' | 'documented'
  /** The group of the cloud API that it is about, if it is about one. */
  readonly group?: string
  readonly forms: readonly string[]
  readonly says: string
}

export const readAbout = () => read<About>('/control/about')
export const readTarget = () => read<TargetFile>('/control/target')

export const formNames: Readonly<Record<string, string>> = {
  cloud: 'cloud',
  managed: 'managed',
  selfHosted: 'self-hosted',
  webhook: 'webhook',
}
