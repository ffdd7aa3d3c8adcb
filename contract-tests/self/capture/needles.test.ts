import { describe, expect, it } from 'vitest'
import { createMock } from '../../../mock-server/index.ts'
import { isDateTime, isObject, isUuid, type Json, type JsonObject } from '../../engine/recognise.ts'
import { anonymise, type Treatment } from '../../run/capture/anonymise.ts'
import { collect, readRecording } from '../../run/capture/collect.ts'
import { createInventor } from '../../run/capture/invent.ts'
import { createHarRedactor } from '../../run/har/secrets.ts'
import { countedRandom, readMock, serve, writeWorld } from './captured.ts'

/** Unique words that are planted into texts, each with the path of its field, such as `service.name`. */
type Needles = Map<string, string>

/** Puts a needle into each text, except ids, times and texts that determine the type or state of an object. */
function plant(value: Json, path: string, needles: Needles): Json {
  if (Array.isArray(value)) return value.map(item => plant(item, `${path}[]`, needles))
  if (isObject(value))
    return Object.fromEntries(
      Object.entries(value).map(([name, inner]) => [name, plant(inner, `${path}.${name}`, needles)]),
    )
  if (typeof value !== 'string' || value === '' || isUuid(value) || isDateTime(value) || typeFields.test(path))
    return value
  const word = `zq${wordOf(needles.size).padStart(4, 'b')}x`
  needles.set(word, path)
  return isIdentifier.test(path) ? word : nextShapeOf(path, needles)(word)
}

/** Takes the shapes in turn from a start that depends on the path, so that a new field does not change other fields. */
function nextShapeOf(path: string, needles: Needles) {
  const earlier = [...needles.values()].filter(other => other === path).length
  const start = Array.from(path).reduce((sum, character) => sum + character.codePointAt(0)!, 0)
  return shapes[(start + earlier) % shapes.length]!
}

const typeFields =
  /(?:\._?id|Ids?(?:\[\])?|\.(?:kind|type|displayType|source|mode|operator|service|state|status|role))$/

/** Fields whose values must match a pattern. */
const isIdentifier = /^(?:udf|udfAttachment)\.|\.tags\[\]/

const wordOf = (number: number): string =>
  number < 20 ? 'bcdfghjklmnpqrstvwxz'[number]! : wordOf(Math.floor(number / 20)) + wordOf(number % 20)

const shapes: readonly ((word: string) => string)[] = [
  word => word,
  word => `${word} GmbH & Co.`,
  word => `${word}.corp@${word}.io`,
  word => `https://u:${word}@${word}.internal:8443/${word}/${encodeURIComponent(`ü ${word}`)}?k=${word}#${word}`,
  word => `SELECT ${word} FROM ${word}.t WHERE x = '${word}' -- ${word}`,
  word => `{"${word}": ["${word}", {"a": "Bearer ${word}"}]}`,
  word => `arn:aws:iam::123456789012:role/${word}`,
  word => `${word}_${word}-${word}/${word}`,
  word => `💥${word}💥 ${word.toUpperCase()} \\u007a${word}`,
  word => `level:error AND ${word}:"${word}"`,
]

const captured = readMock(
  createMock({ as: 'clickhouse-cloud', choices: {}, logs: 0, services: 2, now: '2026-11-24T10:00:00Z' }),
)

describe('the anonymisation of a captured world', () => {
  it('removes every text whose treatment is not `kept`, and a mock can serve the result', async () => {
    const reading = await captured
    const needles: Needles = new Map()
    const records = reading.records.map(one => ({ ...one, shown: plant(one.shown, one.name, needles) as JsonObject }))
    expect(needles.size).toBeGreaterThan(2000)
    const { world, treatments } = writeWorld(reading, records)
    const text = JSON.stringify(world).toLowerCase()
    const isKept = (path: string) => [path, path.replace(/\.[^.]*$/, '.*')].some(one => treatments.get(one)?.kept)
    const left = [...needles].filter(([needle, path]) => text.includes(needle) && !isKept(path))
    expect(left).toEqual([])
    // Only words of the vendor are kept, such as a version, which no customer chooses.
    const kept = new Set([...needles].flatMap(([needle, path]) => (text.includes(needle) ? [path] : [])))
    expect([...kept].sort()).toMatchInlineSnapshot(`
      [
        "backup.bucket.bucketProvider",
        "clickhouseSetting.name",
        "postgres.ipAccessList[].portRange",
        "postgres.region",
        "postgresConfig.pgBouncerConfig.default_pool_size",
        "postgresConfig.pgConfig.max_connections",
        "role.name",
        "role.policies[].permissions[]",
        "service.clickhouseVersion",
        "service.profile",
        "udf.format",
      ]
    `)
    expect(treatments.get('service.name')).toEqual({ replaced: 4 })
    expect(() => serve(world, { as: 'clickhouse-cloud', logs: 0 })).not.toThrow()
  })

  it('replaces short texts too', async () => {
    const reading = await captured
    const { world, treatments } = writeWorld(
      reading,
      reading.records.map(one => ({ ...one, shown: { ...one.shown, name: 'ab', email: 'a@b.c' } })),
    )
    const isReplaced = (path: string) => Object.keys(treatments.get(path) ?? {}).join() === 'replaced'
    const lists = Object.entries(world as Record<string, JsonObject[]>)
    const kept = lists.flatMap(([kind, list]) =>
      Array.isArray(list)
        ? list.filter(
            ({ name, email }) =>
              (isReplaced(`${kind}.name`) && name === 'ab') || (isReplaced(`${kind}.email`) && email === 'a@b.c'),
          )
        : [],
    )
    expect(kept).toEqual([])
  })

  it('leaves out secrets, unknown fields and values that the contract does not allow', async () => {
    const reading = await captured
    const [service] = reading.records.filter(({ name }) => name === 'service')
    const shown = {
      ...service!.shown,
      ownerNote: 'needle',
      password: 'needle',
      state: 'needle',
      ['__proto__']: 'needle',
      region: 7,
    }
    const { world, treatments } = writeWorld(reading, [{ ...service!, shown: shown as JsonObject }], {
      isVerbatim: true,
    })
    expect(JSON.stringify(world)).not.toContain('needle')
    expect(['ownerNote', 'password', 'state', 'region'].map(name => treatments.get(`service.${name}`))).toEqual(
      Array(4).fill({ 'left out': 1 } satisfies Partial<Record<Treatment, number>>),
    )
  })
})

describe('a replacement text', () => {
  const invent = (texts: readonly string[], seed = 1) =>
    texts.map(text => createInventor(texts, countedRandom(seed)).text(text))

  it('depends on the random numbers alone, so that it differs in another capture', () => {
    const texts = ['orders', 'Ada Lovelace', 'ada@example.org', '10.1.2.3', '507f1f77bcf86cd799439011']
    expect(invent(texts, 1)).toEqual(invent(texts, 1))
    expect(invent(texts, 2).filter((text, index) => text === invent(texts, 1)[index])).toEqual([])
  })

  it('is equal for equal words, different for different words, and never one of the original words', () => {
    const words = Array.from({ length: 3000 }, (_, number) => wordOf(number))
    const { text } = createInventor(words, countedRandom())
    const inventions = words.map(word => text(word))
    expect(new Set(inventions).size).toBe(words.length)
    expect(words.map(word => text(`${word}, ${word}`))).toEqual(inventions.map(word => `${word}, ${word}`))
    // The same random numbers would give these inventions again, if they were not originals now.
    const originals = inventions.filter(({ length }) => length > 3)
    const again = createInventor(originals, countedRandom())
    expect(originals.map(word => again.text(word)).filter(word => originals.includes(word))).toEqual([])
  })

  it.each([
    ['ada@example.org', /^[a-z]+@[a-z]+\.[a-z]+\.example$/],
    ['https://u:p@db.corp.io:8443/a/b?k=v', /^https:\/\/[a-z]+\.[a-z]+\.[a-z]+\.example:8443\/[a-z]\/[a-z]$/],
    ['10.1.2.0/24', /^198\.1[89]\.\d+\.\d+\/\d+$/],
    ['0.0.0.0/0', /^0\.0\.0\.0\/0$/],
    ['fe80::1:2', /^2001:db8:[\da-f:]+$/],
    ['3637e1d4-280a-4013-a18b-82996c89aa61', /^[\da-f]{8}-[\da-f]{4}-4[\da-f]{3}-[89ab][\da-f]{3}-[\da-f]{12}$/],
    ['507f1f77bcf86cd799439011', /^[\da-f]{24}$/],
    ['Ada LOVELACE', /^[A-Z][a-z]{2} [A-Z]{6,8}$/],
    ['2026', /^[1-9]\d{2,3}$/],
  ])('for %s has the same form', (original, form) => {
    expect(invent([original])[0]).toMatch(form)
  })

  it.each(['http://', 'a+', '1.', ':', 'x@'])(
    'for a text that repeats %s 30,000 times is made within the time limit',
    part => {
      expect(invent([part.repeat(30_000)])[0]).not.toBe('')
    },
  )

  it('keeps the syntax of a query, and replaces the names that its author chose', () => {
    const { text } = createInventor([], countedRandom())
    expect(text("SELECT count() FROM shop.orders WHERE level = 'error' AND tenant = 48213377 LIMIT 100", true)).toMatch(
      /^SELECT count\(\) FROM [a-z]{3,4}\.[a-z]+ WHERE level = 'error' AND [a-z]+ = \d+ LIMIT 100$/,
    )
  })
})

describe('a secret in a text that is kept', () => {
  const secret = 'Tr0ub4dor3xyz'
  const json = JSON.stringify({ password: secret })
  it.each([
    ...[json, JSON.stringify({ a: json }), JSON.stringify({ b: JSON.stringify({ a: json }) }), btoa(json)],
    ...[`{'token': '${secret}'}`, `https://h.io/?x=password%3D${secret}`, `https://u:${secret}@h.io`],
    ...[`curl -u admin:${secret} h`, `login --password ${secret}`, `-H 'Authorization: Bearer &${secret}${secret}'`],
    ...[`CREATE USER x IDENTIFIED WITH sha256_password BY '${secret}'`, `AccountKey=${secret}`, `PGPASSWORD=${secret}`],
    ...[`s3('https://b', 'AKIAABCDEFGHIJKLMNOP', '${secret}')`, `https://api.telegram.org/bot1234:${secret}/send`],
  ])('is redacted in %s', text => {
    const clean = createHarRedactor({})(text)
    expect([clean.includes('[redacted]'), clean.includes(secret), clean.includes(btoa(json))]).toEqual([
      true,
      false,
      false,
    ])
  })
})

it('a recording with invalid times is captured without these times', () => {
  const member = { userId: 'u', name: 'n', email: 'e@x.y', role: 'admin', joinedAt: '9999-12-31T23:59:59Z' }
  const content = { mimeType: 'application/json', text: JSON.stringify({ status: 200, result: [member] }) }
  const request = { method: 'GET', url: `https://api.io/v1/organizations/${'1'.repeat(8)}/members`, headers: [] }
  const entry = { startedDateTime: '+275760-09-13T00:00:00.000Z', time: 1e300, request }
  const { answers, at } = readRecording({
    log: { entries: [{ ...entry, response: { status: 200, headers: [], content } }] },
  })
  const { treatments } = anonymise(collect(answers, new Set(['member'])), ['member'], {
    at,
    random: countedRandom(),
    redact: text => text,
  })
  expect([treatments.get('member.joinedAt'), treatments.get('member.name')]).toEqual([
    { 'left out': 1 },
    { replaced: 1 },
  ])
})
