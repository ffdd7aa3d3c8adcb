import { isRead, type Step, stepOfListBefore } from '../engine/step.ts'

/**
 * The turn of each step, from the order of the lines in each visit and their references to others. Within a turn, reads are
 * sent concurrently and writes one after the other.
 * @throws Error that names the steps of a cycle.
 */
export function turnsOf(steps: readonly Step[]): ReadonlyMap<string, number> {
  const byName = new Map(steps.map(step => [step.name, step]))
  const earlierSteps = earlierOf(steps, byName)
  const turns = new Map<string, number>()
  const open: string[] = []
  const turnOf = (step: Step): number => {
    const known = turns.get(step.name)
    if (known !== undefined) return known
    if (open.includes(step.name))
      throw new Error(`steps wait for each other: ${[...open.slice(open.indexOf(step.name)), step.name].join(' > ')}`)
    open.push(step.name)
    let turn = 0
    for (const earlier of earlierSteps.get(step.name) ?? [])
      turn = Math.max(turn, turnOf(earlier) + (isInSequence(earlier, step) ? 0 : 1))
    open.pop()
    turns.set(step.name, turn)
    return turn
  }
  for (const step of steps) turnOf(step)
  return turns
}

/** True for two lines of a visit that may share a turn. */
const isInSequence = (earlier: Step, step: Step): boolean =>
  earlier.visit === step.visit &&
  isRead(earlier.method) === isRead(step.method) &&
  !(isRead(step.method) && [...(step.from ?? []), ...(step.after ?? [])].includes(earlier.name))

function earlierOf(steps: readonly Step[], byName: ReadonlyMap<string, Step>): ReadonlyMap<string, Set<Step>> {
  const earlier = new Map(steps.map(step => [step.name, new Set<Step>()]))
  const wait = (later: string, name: string) => {
    const step = byName.get(name)
    if (step && later !== name) earlier.get(later)?.add(step)
  }
  const latestLines = new Map<string, string>()
  for (const { name, visit, form, from = [], after = [], before = [], creates } of steps) {
    const previous = latestLines.get(visit)
    if (previous !== undefined) wait(name, previous)
    latestLines.set(visit, name)
    for (const one of [...from, ...after]) wait(name, one)
    if (creates) wait(name, stepOfListBefore(form, creates))
    for (const one of before) wait(one, name)
  }
  // Steps of other visits that use a created object come between two lines of the visit that creates the object.
  const usersByStep = new Map<string, readonly string[]>()
  const previousLines = new Map<string, string>()
  for (const { name, visit, awaitsUsersOf: awaits = [] } of steps) {
    for (const one of awaits) {
      const users = usersByStep.get(one) ?? findUsers(one, visit, steps)
      const previous = previousLines.get(visit)
      if (!usersByStep.has(one) && previous !== undefined) for (const other of users) wait(other, previous)
      usersByStep.set(one, users)
      for (const other of users) wait(name, other)
    }
    previousLines.set(visit, name)
  }
  return earlier
}

/** The steps of other visits that depend on a step, directly or not. */
function findUsers(name: string, visit: string, steps: readonly Step[]): readonly string[] {
  const users = new Set([name])
  for (let size = 0; size !== users.size; ) {
    size = users.size
    for (const step of steps) if (step.visit !== visit && step.from?.some(one => users.has(one))) users.add(step.name)
  }
  users.delete(name)
  return [...users]
}
