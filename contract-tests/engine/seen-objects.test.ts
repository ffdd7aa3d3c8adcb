import { describe, expect, it } from 'vitest'
import type { Exchange } from './exchange.ts'
import { createSeenObjects } from './seen-objects.ts'
import type { TargetFile } from './target/target.ts'

const a = '6578c0475b00697201000009'
const b = '6578c0475b0069720100000a'

/** An answer about alerts or dashboards, by default of the self-hosted form. */
const answer = (json: unknown, more: Partial<Exchange> & { method?: string; path?: string; status?: number } = {}) => {
  const { method = 'GET', path = '/api/v2/dashboards', status = 200, ...rest } = more
  return {
    form: 'selfHosted',
    request: { method, path, headers: {}, body: null },
    response: { status, headers: {}, text: JSON.stringify(json) },
    json,
    ...rest,
  } as Exchange
}
const noteAll = (...exchanges: readonly Exchange[]) => {
  const seenObjects = createSeenObjects({} as TargetFile)
  for (const exchange of exchanges) seenObjects.note(exchange)
  return seenObjects
}

describe('the seen objects of a deployment', () => {
  it('include, before a request, the objects that earlier answers show', () => {
    const seenObjects = noteAll(answer({ data: [{ id: a, name: 'A' }] }))
    const answersBefore = seenObjects.answersSoFar()
    seenObjects.note(answer({ data: { id: b, name: 'B' } }, { method: 'POST' }))
    expect(answersBefore).toBe(1)
    expect(seenObjects.wasSeen('selfHosted', 'dashboard', a, answersBefore)).toBe(true)
    expect(seenObjects.wasSeen('selfHosted', 'dashboard', a.toUpperCase(), answersBefore)).toBe(true)
    expect(seenObjects.wasSeen('selfHosted', 'dashboard', b, answersBefore)).toBe(false)
    expect(seenObjects.wasSeen('selfHosted', 'dashboard', b, seenObjects.answersSoFar())).toBe(true)
    expect(seenObjects.wasSeen('selfHosted', 'dashboard', a, 0)).toBe(false)
  })

  it('are kept apart by form and resource', () => {
    const seenObjects = noteAll(answer({ data: [{ id: a, name: 'A' }] }))
    expect(seenObjects.wasSeen('managed', 'dashboard', a, 1)).toBe(false)
    expect(seenObjects.wasSeen('selfHosted', 'alert', a, 1)).toBe(false)
    expect(seenObjects.wasSeen('selfHosted', 'dashboard', b, 1)).toBe(false)
  })

  it('count from the first answer that shows them', () => {
    const list = answer({ data: [{ id: a, name: 'A' }] })
    const seenObjects = noteAll(list, list, list)
    expect(seenObjects.wasSeen('selfHosted', 'dashboard', a, 1)).toBe(true)
  })

  it('include from the start the dashboards that the target file names, each in its form', () => {
    const target = {
      cloud: { references: { dashboardId: a } },
      selfHosted: { references: { dashboardId: b } },
    } as TargetFile
    const seenObjects = createSeenObjects(target)
    expect(seenObjects.wasSeen('managed', 'dashboard', a, 0)).toBe(true)
    expect(seenObjects.wasSeen('selfHosted', 'dashboard', b, 0)).toBe(true)
    expect(seenObjects.wasSeen('selfHosted', 'dashboard', a, 0)).toBe(false)
    expect(seenObjects.wasSeen('managed', 'dashboard', b, 0)).toBe(false)
  })

  it('need no references in the target file', () => {
    const seenObjects = createSeenObjects({ cloud: {}, selfHosted: {} } as TargetFile)
    expect(seenObjects.wasSeen('selfHosted', 'dashboard', a, 0)).toBe(false)
  })

  it('do not include items without an id', () => {
    const seenObjects = noteAll(answer({ data: [{ name: 'nameless' }, { id: a, name: 'A' }] }))
    expect(seenObjects.wasSeen('selfHosted', 'dashboard', a, 1)).toBe(true)
  })

  it('include the dashboard that an alert belongs to', () => {
    const seenObjects = noteAll(
      answer({ data: [{ id: a, dashboardId: b, name: 'A' }] }, { path: '/api/v2/alerts?limit=5' }),
    )
    expect(seenObjects.wasSeen('selfHosted', 'alert', a, 1)).toBe(true)
    expect(seenObjects.wasSeen('selfHosted', 'dashboard', b, 1)).toBe(true)
    expect(seenObjects.wasSeen('selfHosted', 'dashboard', a, 1)).toBe(false)
  })

  it.each([
    ['a resource without a life', '/api/v2/team'],
    ['a path below an object', `/api/v2/dashboards/${a}/tiles`],
    ['a path that only begins like that of a resource', '/api/v2/dashboardsets'],
    ['a path that only ends like that of a resource', '/api/v2/mydashboards'],
  ])('do not come from %s', (_, path) => {
    expect(noteAll(answer({ data: [{ id: a, name: 'A' }] }, { path })).answersSoFar()).toBe(0)
  })

  it.each(['/api/v2/dashboards', '/api/v2/dashboards/', `/api/v2/dashboards/${a}`, `/api/v2/dashboards/${a}/?x=1`])(
    'come from an answer at %s',
    path => {
      expect(noteAll(answer({ data: { id: a, name: 'A' } }, { path })).answersSoFar()).toBe(1)
    },
  )
})

describe('the complete list of a resource', () => {
  const list = (ids: readonly string[], more: Parameters<typeof answer>[1] & { as?: string } = {}) =>
    answer({ data: ids.map(id => ({ id, name: 'x' })) }, { as: 'key', ...more } as never)

  it('is the first that was read, and known from then on', () => {
    const seenObjects = noteAll(answer({ data: { id: b } }, { method: 'POST' }), list([a]), list([a, b]))
    expect(seenObjects.completeListBefore('selfHosted', 'dashboard', 1)).toBeUndefined()
    expect(seenObjects.completeListBefore('selfHosted', 'dashboard', 2)).toEqual([a])
    expect(seenObjects.completeListBefore('selfHosted', 'dashboard', 3)).toEqual([a])
    expect(seenObjects.completeListBefore('managed', 'dashboard', 3)).toBeUndefined()
    expect(seenObjects.completeListBefore('selfHosted', 'alert', 3)).toBeUndefined()
  })

  it.each([
    ['the answer to a write', list([a], { method: 'POST' })],
    ['the answer to other credentials', list([a], { as: 'none' })],
    ['the get of one object', list([a], { path: `/api/v2/dashboards/${a}` })],
  ])('is not taken from %s', (_, exchange) => {
    expect(noteAll(exchange).completeListBefore('selfHosted', 'dashboard', 1)).toBeUndefined()
  })
})
