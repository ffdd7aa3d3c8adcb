import { describe, expect, it } from 'vitest'
import { type Operation, operations } from '../../../fixtures/contract/index.ts'
import cloud from '../../../fixtures/documents/cloud.openapi.json'
import newer from '../../../fixtures/documents/cloud-newer.openapi.json'
import older from '../../../fixtures/documents/cloud-older.openapi.json'
import selfHosted from '../../../fixtures/documents/self-hosted.openapi.json'
import { judgeDocument } from './judge-document.ts'

// biome-ignore lint/suspicious/noExplicitAny: a document is changed here in ways that its type does not have.
type Loose = any
const lines = (document: unknown) => judgeDocument(document).map(({ kind, id }) => `${kind} ${id}`)
/** What a change to a document that agrees is seen as. */
const seen = (change: (document: Loose) => void, document: object = cloud) => {
  const changed = structuredClone(document)
  change(changed)
  return lines(changed)
}
const put = (holder: Loose, key: string, value: unknown) => {
  holder[key] = value
}
const base = '/v1/organizations/{organization}/services/{service}'
const members = '/v1/organizations/{organization}/members'
const schemas = (document: Loose) => document.components.schemas

describe('judgeDocument', () => {
  it('finds nothing in documents that agree, of 3.0 and of 3.1', () => {
    expect(judgeDocument(cloud)).toEqual([])
    expect(judgeDocument(selfHosted)).toEqual([])
  })

  it('tells what an older document lacks', () => {
    expect(lines(older)).toEqual([
      'breaking cloud:backup/answer/durationInSeconds/gone',
      'breaking cloud:member/answer/name/type',
      'breaking cloud:member/answer/role/values-gone',
      'breaking cloud:refusal/400/status/gone',
      'breaking version/description-is-1.0',
    ])
  })

  it('tells what a newer document adds', () => {
    expect(lines(newer)).toEqual([
      'additive cloud:credentials/request/scheme',
      'additive cloud:member/answer/body/fields-new',
      'additive cloud:member/answer/role/values-added',
      'neutral cloud:member/answer/role/deprecated',
      'neutral version/description-is-1.0',
    ])
  })

  it('says what was and what is', () => {
    const [role] = judgeDocument(newer).filter(({ id }) => id.endsWith('role/values-added'))
    expect(role).toEqual({
      fingerprint: expect.stringMatching(/^[0-9a-f]{12}$/),
      part: 'shapes',
      kind: 'additive',
      id: 'cloud:member/answer/role/values-added',
      was: null,
      is: ['viewer'],
    })
  })

  it('does not depend on the order in which a document is written', () => {
    const turn = (value: unknown): unknown =>
      typeof value !== 'object' || value === null || Array.isArray(value)
        ? value
        : Object.fromEntries(
            Object.entries(value)
              .reverse()
              .map(([key, item]) => [key, turn(item)]),
          )
    expect(judgeDocument(turn(newer))).toEqual(judgeDocument(newer))
  })
})

describe('operations', () => {
  it('breaks without one', () => {
    expect(seen(({ paths }) => delete paths[members])).toEqual(['breaking cloud:member.list/gone'])
  })

  it('minds neither the absence nor the shape of one that the specification does not speak of', () => {
    const keys = '/v1/organizations/{organization}/keys'
    expect(seen(({ paths }) => put(paths, keys, { get: { security: [], responses: { 204: {} } } }))).toEqual([
      'neutral cloud:key.list/answer/media-type',
      'neutral cloud:key.list/answer/status',
      'neutral cloud:key.list/request/scheme',
    ])
    expect(seen(({ paths }) => put(paths, '/v1', { get: { security: [], responses: { 200: {} } } }))).toEqual([])
  })

  it('tells those that the contract does not know by the resource that they stand under', () => {
    const change = ({ paths }: Loose) => {
      for (const path of [
        `${base}/backups/{backup}/copies`,
        `${base}/copies`,
        '/v1/organizations/{organization}/copies',
      ])
        paths[path] = { post: {} }
    }
    expect(seen(change)).toEqual([
      'additive cloud:backup/operations-new',
      'additive cloud:organization/operations-new',
      'additive cloud:service/operations-new',
    ])
  })

  it('matches them whatever their parameters and the fixed segment are called', () => {
    const renamed = JSON.parse(JSON.stringify(cloud).replaceAll('{service}/stack', '{serviceId}/another'))
    expect(lines(renamed)).toEqual([])
  })

  it('takes an update by PATCH for the update', () => {
    const change = ({ paths }: Loose) => {
      const one = paths[`${base}/stack/alerts/{id}`]
      one.patch = one.put
      delete one.put
    }
    expect(seen(change)).toEqual(['neutral managed:alert.update/method'])
  })

  it('names those that the specification calls absent by their rule', () => {
    const change = ({ paths }: Loose) => {
      for (const path of ['webhooks', 'charts/series', 'playbooks', 'alerts/{id}/silence'])
        paths[`${base}/stack/${path}`] = { post: {} }
    }
    expect(seen(change)).toEqual([
      'additive chart/absent-in-managed-form',
      'additive managed:alert/operations-new',
      'additive managed:resources-new',
      'additive webhook/absent-in-managed-form',
    ])
    expect(seen(({ paths }) => put(paths['/charts/series'], 'get', {}), selfHosted)).toEqual([
      'additive chart/other-methods-never-succeed',
    ])
  })

  it('judges the forms that are described, and no other', () => {
    const only = (keep: (path: string) => boolean) =>
      seen(({ paths }) => {
        for (const path of Object.keys(paths)) if (!keep(path)) delete paths[path]
      })
    expect(only(path => path.includes('/stack/'))).toEqual([])
    expect(only(path => !path.includes('/stack/'))).toEqual([])
  })

  it('tells when one is deprecated', () => {
    expect(seen(({ paths }) => put(paths[members].get, 'deprecated', true))).toEqual([
      'neutral cloud:member.list/deprecated',
    ])
  })

  it('breaks with another parameter that must be sent', () => {
    const header = { name: 'x-tenant', in: 'header', required: true, schema: { type: 'string' } }
    expect(seen(({ paths }) => paths[members].parameters.push(header))).toEqual([
      'breaking cloud:member.list/parameters-required',
    ])
  })
})

describe('answers', () => {
  const member = (change: (properties: Loose) => void) => seen(document => change(schemas(document).Member.properties))

  it.each<[string, (properties: Loose) => void, string[]]>([
    ['without a field', one => delete one.email, ['breaking cloud:member/answer/email/gone']],
    ['with another type', one => put(one.name, 'type', 'number'), ['breaking cloud:member/answer/name/type']],
    ['with null', one => put(one.name, 'type', ['string', 'null']), ['breaking cloud:member/answer/name/type']],
    [
      'with another format',
      one => put(one.joinedAt, 'format', 'date'),
      ['breaking cloud:member/answer/joinedAt/format'],
    ],
    ['without a format', one => delete one.email.format, ['breaking cloud:member/answer/email/format']],
    ['without a value', one => one.role.enum.pop(), ['breaking cloud:member/answer/role/values-gone']],
    ['with any value', one => delete one.role.enum, ['breaking cloud:member/answer/role/values']],
    ['with more values', one => one.role.enum.push('viewer'), ['additive cloud:member/answer/role/values-added']],
    ['with more fields', one => put(one, 'team', {}), ['additive cloud:member/answer/body/fields-new']],
    ['with a narrower type', one => put(one.userId, 'format', 'uuid'), []],
  ])('judges a member %s', (_, change, expected) => {
    expect(member(change)).toEqual(expected)
  })

  it('breaks without the envelope, the result or its kind', () => {
    const success = (document: Loose) => document.paths[members].get.responses[200].content['application/json'].schema
    expect(seen(document => delete success(document).properties.requestId)).toEqual([
      'breaking cloud:member.list/answer/requestId/gone',
    ])
    expect(
      seen(document => put(success(document).properties, 'result', { $ref: '#/components/schemas/Member' })),
    ).toEqual(['breaking cloud:member.list/answer/result/type'])
  })

  it('breaks with another status where 200 is stated, and tells it elsewhere', () => {
    const change = (path: string, method: string) => (document: Loose) => {
      const operation = document.paths[path][method]
      operation.responses = { 201: operation.responses[200], 400: operation.responses[400] }
    }
    expect(seen(change(members, 'get'))).toEqual(['breaking cloud:member.list/answer/status'])
    expect(seen(change(`${base}/stack/alerts`, 'post'))).toEqual(['neutral managed:alert.create/answer/status'])
  })

  it('breaks when it is no longer JSON', () => {
    expect(seen(({ paths }) => put(paths[members].get.responses[200], 'content', { 'text/csv': {} }))).toEqual([
      'breaking cloud:member.list/answer/media-type',
    ])
  })

  it('breaks when a 400 loses a field', () => {
    const change = ({ components }: Loose) =>
      delete components.responses.BadRequest.content['application/json'].schema.properties.error
    expect(seen(change)).toEqual(['breaking cloud:refusal/400/error/gone', 'breaking managed:refusal/400/error/gone'])
  })

  it('breaks nothing where the specification shows no fields', () => {
    expect(seen(document => delete schemas(document).Source.properties.kind)).toEqual([
      'neutral managed:source/answer/kind/gone',
    ])
    expect(seen(document => put(schemas(document).Source.properties, 'section', {}))).toEqual([
      'neutral managed:source/answer/body/fields-new',
    ])
  })
})

describe('requests', () => {
  const alert = (change: (schema: Loose) => void) => seen(document => change(schemas(document).NewAlert), selfHosted)

  it.each<[string, (schema: Loose) => void, string[]]>([
    [
      'without a field',
      one => delete one.properties.tileId,
      ['breaking selfHosted:alert/request/tileId/gone', 'neutral selfHosted:alert/answer/tileId/gone'],
    ],
    [
      'with a field that must be sent now',
      one => one.required.push('message'),
      ['breaking selfHosted:alert/request/message/required'],
    ],
    [
      'with a new field that must be sent',
      one => {
        one.properties.team = { type: 'string' }
        one.required.push('team')
      },
      ['breaking selfHosted:alert/request/body/fields-required', 'neutral selfHosted:alert/answer/body/fields-new'],
    ],
    [
      'without the value of the sample',
      one => one.properties.source.enum.shift(),
      ['breaking selfHosted:alert/request/source/values-gone', 'neutral selfHosted:alert/answer/source/values-gone'],
    ],
    [
      'without a value that only deployments show',
      one => one.properties.source.enum.pop(),
      ['neutral selfHosted:alert/answer/source/values-gone', 'neutral selfHosted:alert/request/source/values-gone'],
    ],
    [
      'with whole numbers only',
      one => put(one.properties.threshold, 'type', 'integer'),
      ['breaking selfHosted:alert.create/request/threshold/type'],
    ],
    [
      'that may be null',
      one => put(one.properties.tileId, 'nullable', true),
      ['additive selfHosted:alert.create/request/tileId/type'],
    ],
  ])('judges an alert %s', (_, change, expected) => {
    expect(alert(change)).toEqual(expected)
  })
})

describe('credentials', () => {
  const secure = (security: unknown, scheme = 'basic') =>
    seen(document => {
      document.security = security
      document.components.securitySchemes.key.scheme = scheme
    })
  const both = (kind: string) => [
    `${kind} cloud:credentials/request/scheme`,
    `${kind} managed:credentials/request/scheme`,
  ]

  it('breaks with another scheme, and with none', () => {
    expect(secure([{ key: [] }], 'bearer')).toEqual(both('breaking'))
    expect(secure([{ key: [] }, {}])).toEqual(both('breaking'))
    expect(secure([])).toEqual(both('breaking'))
  })

  it('does not mind how the scheme is written', () => {
    expect(secure([{ key: [] }], 'Basic')).toEqual([])
  })
})

describe('references', () => {
  const alias = (member: unknown, more: object = {}) =>
    seen(document => Object.assign(schemas(document), { Member: member, ...more }))
  const refer = (name: string) => ({ $ref: `#/components/schemas/${name}` })

  it('comes to an end in a circle, and says what it did not read', () => {
    expect(alias(refer('Other'), { Other: { oneOf: [refer('Member'), refer('Other')] } })).toEqual([
      'neutral document/references-unread',
    ])
  })

  it('does not follow those that lead elsewhere', () => {
    expect(alias({ $ref: 'https://example.test/member.json' })).toEqual(['neutral document/references-unread'])
  })

  it('reads what is referred to many times once', () => {
    const floors = Object.fromEntries(
      Array.from({ length: 35 }, (_, floor) => [
        `Floor${floor + 1}`,
        { allOf: [refer(`Floor${floor}`), refer(`Floor${floor}`)] },
      ]),
    )
    expect(alias(refer('Floor35'), { ...floors, Floor0: cloud.components.schemas.Member })).toEqual([])
  })
})

describe('what is no document', () => {
  it.each<[unknown, RegExp]>([
    [null, /JSON object/],
    [[], /JSON object/],
    [{ swagger: '2.0' }, /Swagger 2\.0/],
    [{ openapi: '3.1.0' }, /no `paths`/],
    [{ openapi: '3.1.0', paths: { '/pets': { get: {} } } }, /another API/],
  ])('is refused with a sentence: %j', (document, sentence) => {
    expect(() => judgeDocument(document)).toThrow(sentence)
  })
})

it('knows every operation of the specification in the two documents that agree', () => {
  const empty = { security: [{ key: [] }], components: cloud.components }
  const gone = [
    judgeDocument({
      ...cloud,
      ...empty,
      paths: {
        [`${base}/stack/alerts`]: {},
        '/v1/organizations': { get: {} },
        [`${base}/stack/alerts/x`]: { get: {} },
      },
    }),
    judgeDocument({ ...selfHosted, paths: { '/nothing': { get: {} } } }),
  ].flat()
  const ids = new Set(gone.filter(({ id }) => id.endsWith('/gone')).map(({ id }) => id.replace(/^\w+:|\/gone$/g, '')))
  const specified = Object.entries(operations as Record<string, Operation>).filter(
    ([, { basis }]) => basis === undefined,
  )
  expect([...ids].sort()).toEqual(specified.map(([id]) => id).sort())
})
