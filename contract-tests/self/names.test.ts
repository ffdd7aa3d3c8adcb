import { describe, expect, it } from 'vitest'
import type { Step } from '../engine/step.ts'
import { everyForm } from '../engine/target/forms-of.ts'
import { rules } from '../rules/select.ts'
import { checks } from '../run/checks.ts'
import { turnsOf } from '../run/turns.ts'
import { stepsOf } from '../run/verify.ts'

/** Names that only recorded traffic brings, with the reason why no visit sends them. */
const recordedOnly: Readonly<Record<string, string>> = {
  'cloud:wrong-method': 'the run has nothing of its own there that could be sent another method',
}

/** Of operations that the run does not send with good credentials, recordings alone bring probes. */
const isOfRecordings = (name: string) =>
  /^\w+:(?:dashboard\.validate|search\.query|webhook\.\w+|team\w+\.\w+)(?: (?:as|with|without|under) .+)?$/.test(name)

const steps: ReadonlyMap<string, Step> = new Map(everyForm.flatMap(form => [...stepsOf(form)]))

describe('the names of lines', () => {
  it('are made by a visit wherever a check reads them', () => {
    const read = rules.flatMap(({ id, forms }) => {
      const { reads } = checks[id]
      return reads === 'everything' ? [] : forms.flatMap(form => reads(form).map(name => ({ id, name })))
    })
    const strange = read.filter(({ name }) => !steps.has(name) && !(name in recordedOnly) && !isOfRecordings(name))
    expect(strange.map(({ id, name }) => `${id} reads ${name}`)).toEqual([])
    const names = new Set(read.map(({ name }) => name))
    expect(Object.keys(recordedOnly).filter(name => steps.has(name) || !names.has(name))).toEqual([])
  })

  it('are made by a visit wherever a line names another', () => {
    const strange = [...steps.values()].flatMap(
      ({ name, from = [], after = [], before = [], awaitsUsersOf = [], poll, on }) =>
        [...from, ...after, ...before, ...awaitsUsersOf, ...(poll?.after ?? []), ...(on ? [on] : [])]
          .filter(one => !steps.has(one))
          .map(one => `${name} names ${one}`),
    )
    expect(strange).toEqual([])
  })
})

describe('the turns of a run', () => {
  const turns = turnsOf([...steps.values()])
  const turnOf = (name: string) => turns.get(name)!

  it('follow from what lines name of other visits', () => {
    expect(turnOf('cloud:key.list-before')).toBeLessThan(turnOf('cloud:key.create-reader'))
    expect(turnOf('cloud:service.create-main')).toBeLessThan(turnOf('cloud:clickPipe.create-main'))
    expect(turnOf('cloud:quota.list')).toBeLessThan(turnOf('cloud:service.create-main'))
  })

  it('stop a service only after what other visits do with it while it is there', () => {
    const stopped = turnOf('cloud:service.state')
    const within = [...steps.values()].filter(
      ({ from, visit }) => visit !== 'cloud:service' && from?.includes('cloud:service.create-main'),
    )
    expect(within.length).toBeGreaterThan(100)
    expect(within.filter(({ name }) => turnOf(name) >= stopped).map(({ name }) => name)).toEqual([])
  })

  it('are the same however the visits are ordered', () => {
    const backwards = [...new Set([...steps.values()].map(({ visit }) => visit))]
      .reverse()
      .flatMap(visit => [...steps.values()].filter(step => step.visit === visit))
    expect([...turnsOf(backwards)].sort()).toEqual([...turns].sort())
  })

  it('are an error that names the lines which wait for each other', () => {
    const [one, other] = [...steps.values()].slice(0, 2).map(step => ({ ...step, from: [], after: [], before: [] }))
    const circle = [
      { ...one!, name: 'one', visit: 'a', from: ['other'] },
      { ...other!, name: 'other', visit: 'b', from: ['one'] },
    ]
    expect(() => turnsOf(circle)).toThrow('one > other > one')
  })
})
