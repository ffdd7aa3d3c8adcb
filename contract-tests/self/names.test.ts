import { describe, expect, it } from 'vitest'
import type { Step } from '../engine/step.ts'
import { everyForm } from '../engine/target/forms-of.ts'
import { rules } from '../rules/select.ts'
import { checks } from '../run/checks.ts'
import { stepsOf } from '../run/steps.ts'
import { turnsOf } from '../run/turns.ts'

/** Names of lines that only recorded traffic has, with the reason why no visit sends them. */
const recordedOnly: Readonly<Record<string, string>> = {
  'cloud:wrong-method': 'the run has nothing of its own there that could be sent another method',
}

/** Whether only recordings have a line: it probes an operation that a run never sends with valid credentials. */
const isOfRecordings = (name: string) =>
  /^\w+:(?:dashboard\.validate|search\.query|webhook\.\w+|team\w+\.\w+)(?: (?:as|with|without|under) .+)?$/.test(name)

const steps: ReadonlyMap<string, Step> = new Map(everyForm.flatMap(form => [...stepsOf(form)]))

describe('the names of lines', () => {
  it('exist in a visit when a check reads them', () => {
    const read = rules.flatMap(({ id, forms }) => {
      const { reads } = checks[id]
      return reads === 'everything' ? [] : forms.flatMap(form => reads(form).map(name => ({ id, name })))
    })
    const unknown = read.filter(({ name }) => !steps.has(name) && !(name in recordedOnly) && !isOfRecordings(name))
    expect(unknown.map(({ id, name }) => `${id} reads ${name}`)).toEqual([])
    const names = new Set(read.map(({ name }) => name))
    expect(Object.keys(recordedOnly).filter(name => steps.has(name) || !names.has(name))).toEqual([])
  })

  it('are such that a visit serves each rule', () => {
    const unserved = rules.flatMap(({ id, forms }) => {
      const { reads } = checks[id]
      const isServed = (names: readonly string[]) => names.length === 0 || names.some(name => steps.has(name))
      return reads === 'everything' ? [] : forms.filter(form => !isServed(reads(form))).map(form => `${form} ${id}`)
    })
    expect(unserved).toEqual(['cloud path/wrong-method'])
  })

  it('exist in a visit when another line names them', () => {
    const unknown = [...steps.values()].flatMap(
      ({ name, from = [], after = [], before = [], awaitsUsersOf = [], poll, on }) =>
        [...from, ...after, ...before, ...awaitsUsersOf, ...(poll?.after ?? []), ...(on ? [on] : [])]
          .filter(one => !steps.has(one))
          .map(one => `${name} names ${one}`),
    )
    expect(unknown).toEqual([])
  })
})

describe('the turns of a run', () => {
  const turns = turnsOf([...steps.values()])
  const turnOf = (name: string) => turns.get(name)!

  it('follow from the lines that other visits name', () => {
    expect(turnOf('cloud:key.list-before')).toBeLessThan(turnOf('cloud:key.create-reader'))
    expect(turnOf('cloud:service.create-main')).toBeLessThan(turnOf('cloud:clickPipe.create-main'))
    expect(turnOf('cloud:quota.list')).toBeLessThan(turnOf('cloud:service.create-main'))
  })

  it('stop a service only after the lines of other visits that use it', () => {
    const stopped = turnOf('cloud:service.state')
    const within = [...steps.values()].filter(
      ({ from, visit }) => visit !== 'cloud:service' && from?.includes('cloud:service.create-main'),
    )
    expect(within.length).toBeGreaterThan(100)
    expect(within.filter(({ name }) => turnOf(name) >= stopped).map(({ name }) => name)).toEqual([])
  })

  it('are the same in every order of the visits', () => {
    const backwards = [...new Set([...steps.values()].map(({ visit }) => visit))]
      .reverse()
      .flatMap(visit => [...steps.values()].filter(step => step.visit === visit))
    expect([...turnsOf(backwards)].sort()).toEqual([...turns].sort())
  })

  it('are refused with an error that names the lines which wait for each other', () => {
    const [one, other] = [...steps.values()].slice(0, 2).map(step => ({ ...step, from: [], after: [], before: [] }))
    const cycle = [
      { ...one!, name: 'one', visit: 'a', from: ['other'] },
      { ...other!, name: 'other', visit: 'b', from: ['one'] },
    ]
    expect(() => turnsOf(cycle)).toThrow('one > other > one')
  })
})
