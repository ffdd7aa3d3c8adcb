import { baselines } from '../../fixtures/baselines/index.ts'
import { isRecord } from '../words/check-options.ts'
import { adviseNearest } from '../words/nearest.ts'
import type { Choices } from './choices.ts'

/** The name of a baseline that the package ships. */
export type BaselineName = keyof typeof baselines

/** A baseline, as `verify --update-baseline` writes it. The mock reads only these parts. */
export interface Baseline {
  readonly choices: Choices
  readonly segment?: string
}

export const baselineNames = Object.keys(baselines) as readonly BaselineName[]

const isShipped = (name: string): name is BaselineName => Object.hasOwn(baselines, name)

/** The choices of a baseline, which is given by the name of a shipped one, or as the parsed file. */
export function readBaseline(task: string, baseline: unknown): Choices {
  if (typeof baseline === 'string') {
    if (isShipped(baseline)) return choicesOf(baselines[baseline])
    const advice = adviseNearest(baseline, baselineNames)
    throw new Error(`${task}: the package ships no baseline "${baseline}"; ${advice}`)
  }
  const { choices, segment } = (baseline ?? {}) as Partial<Baseline>
  if (!isRecord(choices)) throw new Error(`${task}: Expected a baseline, which has "choices"`)
  return choicesOf({ choices, segment })
}

const choicesOf = ({ choices, segment }: Baseline): Choices =>
  segment === undefined ? choices : { ...choices, segment }
