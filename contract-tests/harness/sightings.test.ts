import { describe, expect, it } from 'vitest'
import type { Exchange } from './exchange.ts'
import { createSightings } from './sightings.ts'
import type { TargetFile } from './target.ts'

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
  const sightings = createSightings({} as TargetFile)
  for (const exchange of exchanges) sightings.note(exchange)
  return sightings
}

describe('what was seen of a deployment', () => {
  it('was there before a request when an answer before it shows it', () => {
    const sightings = open(answer({ data: [{ id: a, name: 'A' }] }))
    const moment = sightings.moment()
    sightings.note(answer({ data: { id: b, name: 'B' } }, { method: 'POST' }))
    expect(moment).toBe(1)
    expect(sightings.wasThere('selfHosted', 'dashboard', a, moment)).toBe(true)
    expect(sightings.wasThere('selfHosted', 'dashboard', a.toUpperCase(), moment)).toBe(true)
    expect(sightings.wasThere('selfHosted', 'dashboard', b, moment)).toBe(false)
    expect(sightings.wasThere('selfHosted', 'dashboard', b, sightings.moment())).toBe(true)
    expect(sightings.wasThere('selfHosted', 'dashboard', a, 0)).toBe(false)
  })

  it('is of its own form and resource', () => {
    const sightings = open(answer({ data: [{ id: a, name: 'A' }] }))
    expect(sightings.wasThere('managed', 'dashboard', a, 1)).toBe(false)
    expect(sightings.wasThere('selfHosted', 'alert', a, 1)).toBe(false)
    expect(sightings.wasThere('selfHosted', 'dashboard', b, 1)).toBe(false)
  })

  it('stays at the first moment at which it was seen', () => {
    const list = answer({ data: [{ id: a, name: 'A' }] })
    const sightings = open(list, list, list)
    expect(sightings.wasThere('selfHosted', 'dashboard', a, 1)).toBe(true)
  })

  it('has the dashboards that the target file names, from the start, each in its form', () => {
    const target = {
      cloud: { references: { dashboardId: a } },
      selfHosted: { references: { dashboardId: b } },
    } as unknown as TargetFile
    const sightings = createSightings(target)
    expect(sightings.wasThere('managed', 'dashboard', a, 0)).toBe(true)
    expect(sightings.wasThere('selfHosted', 'dashboard', b, 0)).toBe(true)
    expect(sightings.wasThere('selfHosted', 'dashboard', a, 0)).toBe(false)
    expect(sightings.wasThere('managed', 'dashboard', b, 0)).toBe(false)
  })

  it('needs no references in the target file', () => {
    const sightings = createSightings({ cloud: {}, selfHosted: {} } as unknown as TargetFile)
    expect(sightings.wasThere('selfHosted', 'dashboard', a, 0)).toBe(false)
  })

  it('passes over what has no id', () => {
    const sightings = open(answer({ data: [{ name: 'nameless' }, { id: a, name: 'A' }] }))
    expect(sightings.wasThere('selfHosted', 'dashboard', a, 1)).toBe(true)
  })

  it('has the dashboard that an alert belongs to', () => {
    const sightings = open(answer({ data: [{ id: a, dashboardId: b, name: 'A' }] }, { path: '/api/v2/alerts?limit=5' }))
    expect(sightings.wasThere('selfHosted', 'alert', a, 1)).toBe(true)
    expect(sightings.wasThere('selfHosted', 'dashboard', b, 1)).toBe(true)
    expect(sightings.wasThere('selfHosted', 'dashboard', a, 1)).toBe(false)
  })

  it.each([
    ['another resource', '/api/v2/sources'],
    ['what lies below one', `/api/v2/dashboards/${a}/tiles`],
    ['a word that only begins so', '/api/v2/dashboardsets'],
    ['a word that only ends so', '/api/v2/mydashboards'],
  ])('has nothing of %s', (_, path) => {
    expect(open(answer({ data: [{ id: a, name: 'A' }] }, { path })).moment()).toBe(0)
  })

  it.each(['/api/v2/dashboards', '/api/v2/dashboards/', `/api/v2/dashboards/${a}`, `/api/v2/dashboards/${a}/?x=1`])(
    'has what is answered at %s',
    path => {
      expect(open(answer({ data: { id: a, name: 'A' } }, { path })).moment()).toBe(1)
    },
  )
})

describe('the name under which something was seen', () => {
  it('is that of a reading, or begins with it', () => {
    const sightings = open(answer({ data: [{ id: a, name: 'run 1 changed' }] }))
    expect(sightings.isUnder('selfHosted', 'dashboard', a, 'run 1')).toBe(true)
    expect(sightings.isUnder('selfHosted', 'dashboard', a, 'changed')).toBe(false)
    expect(sightings.isAnothers('selfHosted', 'dashboard', a, 'run 1')).toBe(false)
    expect(sightings.isAnothers('selfHosted', 'dashboard', a, 'run 2')).toBe(true)
  })

  it('is one of several, and once its own, always its own', () => {
    const sightings = open(answer({ data: { id: a, name: 'run 1' } }), answer({ data: { id: a, name: 'renamed' } }))
    for (const name of ['run 1', 'renamed']) {
      expect(sightings.isUnder('selfHosted', 'dashboard', a, name)).toBe(true)
      expect(sightings.isAnothers('selfHosted', 'dashboard', a, name)).toBe(false)
    }
  })

  it.each([
    ['nothing was read', []],
    ['it was only written', [answer({ data: { id: a, name: 'B' } }, { method: 'POST' })]],
    ['the reading was refused', [answer({ data: { id: a, name: 'B' } }, { status: 500 })]],
    ['it has no name', [answer({ data: [{ id: a }] })]],
    ['another was read', [answer({ data: [{ id: b, name: 'B' }] })]],
  ])('is unknown, and so nobody else’s, where %s', (_, exchanges) => {
    const sightings = open(...exchanges)
    expect(sightings.isUnder('selfHosted', 'dashboard', a, 'B')).toBe(false)
    expect(sightings.isAnothers('selfHosted', 'dashboard', a, 'A')).toBe(false)
  })

  it('is kept to its first 200 characters', () => {
    const sightings = open(answer({ data: [{ id: a, name: 'x'.repeat(1000) }] }))
    expect(sightings.isUnder('selfHosted', 'dashboard', a, 'x'.repeat(200))).toBe(true)
    expect(sightings.isUnder('selfHosted', 'dashboard', a, 'x'.repeat(201))).toBe(false)
  })
})
