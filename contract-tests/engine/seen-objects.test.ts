import { describe, expect, it } from 'vitest'
import type { Exchange } from './exchange.ts'
import { createSeenObjects } from './seen-objects.ts'
import type { TargetFile } from './target/target.ts'

const a = '6578c0475b00697201000009'
const b = '6578c0475b0069720100000a'

/** An answer about alerts or dashboards, as the self-hosted form sends it unless another is asked for. */
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
const open = (...exchanges: readonly Exchange[]) => {
  const seenObjects = createSeenObjects({} as TargetFile)
  for (const exchange of exchanges) seenObjects.note(exchange)
  return seenObjects
}

describe('what was seen of a deployment', () => {
  it('was there before a request when an answer before it shows it', () => {
    const seenObjects = open(answer({ data: [{ id: a, name: 'A' }] }))
    const moment = seenObjects.answersSoFar()
    seenObjects.note(answer({ data: { id: b, name: 'B' } }, { method: 'POST' }))
    expect(moment).toBe(1)
    expect(seenObjects.wasSeen('selfHosted', 'dashboard', a, moment)).toBe(true)
    expect(seenObjects.wasSeen('selfHosted', 'dashboard', a.toUpperCase(), moment)).toBe(true)
    expect(seenObjects.wasSeen('selfHosted', 'dashboard', b, moment)).toBe(false)
    expect(seenObjects.wasSeen('selfHosted', 'dashboard', b, seenObjects.answersSoFar())).toBe(true)
    expect(seenObjects.wasSeen('selfHosted', 'dashboard', a, 0)).toBe(false)
  })

  it('is of its own form and resource', () => {
    const seenObjects = open(answer({ data: [{ id: a, name: 'A' }] }))
    expect(seenObjects.wasSeen('managed', 'dashboard', a, 1)).toBe(false)
    expect(seenObjects.wasSeen('selfHosted', 'alert', a, 1)).toBe(false)
    expect(seenObjects.wasSeen('selfHosted', 'dashboard', b, 1)).toBe(false)
  })

  it('stays at the first moment at which it was seen', () => {
    const list = answer({ data: [{ id: a, name: 'A' }] })
    const seenObjects = open(list, list, list)
    expect(seenObjects.wasSeen('selfHosted', 'dashboard', a, 1)).toBe(true)
  })

  it('has the dashboards that the target file names, from the start, each in its form', () => {
    const target = {
      cloud: { references: { dashboardId: a } },
      selfHosted: { references: { dashboardId: b } },
    } as unknown as TargetFile
    const seenObjects = createSeenObjects(target)
    expect(seenObjects.wasSeen('managed', 'dashboard', a, 0)).toBe(true)
    expect(seenObjects.wasSeen('selfHosted', 'dashboard', b, 0)).toBe(true)
    expect(seenObjects.wasSeen('selfHosted', 'dashboard', a, 0)).toBe(false)
    expect(seenObjects.wasSeen('managed', 'dashboard', b, 0)).toBe(false)
  })

  it('needs no references in the target file', () => {
    const seenObjects = createSeenObjects({ cloud: {}, selfHosted: {} } as unknown as TargetFile)
    expect(seenObjects.wasSeen('selfHosted', 'dashboard', a, 0)).toBe(false)
  })

  it('passes over what has no id', () => {
    const seenObjects = open(answer({ data: [{ name: 'nameless' }, { id: a, name: 'A' }] }))
    expect(seenObjects.wasSeen('selfHosted', 'dashboard', a, 1)).toBe(true)
  })

  it('has the dashboard that an alert belongs to', () => {
    const seenObjects = open(
      answer({ data: [{ id: a, dashboardId: b, name: 'A' }] }, { path: '/api/v2/alerts?limit=5' }),
    )
    expect(seenObjects.wasSeen('selfHosted', 'alert', a, 1)).toBe(true)
    expect(seenObjects.wasSeen('selfHosted', 'dashboard', b, 1)).toBe(true)
    expect(seenObjects.wasSeen('selfHosted', 'dashboard', a, 1)).toBe(false)
  })

  it.each([
    ['a resource without a life', '/api/v2/team'],
    ['what lies below one', `/api/v2/dashboards/${a}/tiles`],
    ['a word that only begins so', '/api/v2/dashboardsets'],
    ['a word that only ends so', '/api/v2/mydashboards'],
  ])('has nothing of %s', (_, path) => {
    expect(open(answer({ data: [{ id: a, name: 'A' }] }, { path })).answersSoFar()).toBe(0)
  })

  it.each(['/api/v2/dashboards', '/api/v2/dashboards/', `/api/v2/dashboards/${a}`, `/api/v2/dashboards/${a}/?x=1`])(
    'has what is answered at %s',
    path => {
      expect(open(answer({ data: { id: a, name: 'A' } }, { path })).answersSoFar()).toBe(1)
    },
  )
})

describe('a whole list', () => {
  const list = (ids: readonly string[], more: Parameters<typeof answer>[1] & { as?: string } = {}) =>
    answer({ data: ids.map(id => ({ id, name: 'x' })) }, { as: 'key', ...more } as never)

  it('is the first that was read, from then on, of its form and resource', () => {
    const seenObjects = open(answer({ data: { id: b } }, { method: 'POST' }), list([a]), list([a, b]))
    expect(seenObjects.completeListBefore('selfHosted', 'dashboard', 1)).toBeUndefined()
    expect(seenObjects.completeListBefore('selfHosted', 'dashboard', 2)).toEqual([a])
    expect(seenObjects.completeListBefore('selfHosted', 'dashboard', 3)).toEqual([a])
    expect(seenObjects.completeListBefore('managed', 'dashboard', 3)).toBeUndefined()
    expect(seenObjects.completeListBefore('selfHosted', 'alert', 3)).toBeUndefined()
  })

  it.each([
    ['a writing request', list([a], { method: 'POST' })],
    ['other credentials', list([a], { as: 'none' })],
    ['a get of one', list([a], { path: `/api/v2/dashboards/${a}` })],
  ])('is not what answers %s', (_, exchange) => {
    expect(open(exchange).completeListBefore('selfHosted', 'dashboard', 1)).toBeUndefined()
  })
})
