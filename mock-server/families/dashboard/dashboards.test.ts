import { describe, expect, it } from 'vitest'
import { alertOn, createStackClient, ids, lineTile } from '../../testing/example-stack.ts'

const withTile = (config: object, more: object = {}) => ({ name: 'One', tiles: [{ ...lineTile, config, ...more }] })
const filter = { type: 'QUERY_EXPRESSION', name: 'Service', expression: 'ServiceName', sourceId: ids.log }

describe('creating a dashboard', () => {
  it('fills in the defaults of tiles, and replaces sent tile ids', () => {
    const { answer } = createStackClient()
    const board = answer('dashboard.create', { body: { name: 'Shop', tiles: [{ ...lineTile, id: 'mine' }] } })
    expect(board.tiles[0].id).toMatch(/^[0-9a-f]{24}$/)
    expect(board.tiles[0].config).toEqual({
      displayType: 'line',
      sourceId: ids.log,
      asRatio: false,
      fillNulls: true,
      select: [{ aggFn: 'count', valueExpression: '', where: '', whereLanguage: 'lucene' }],
    })
    expect(board).toMatchObject({ tags: [], filters: [], savedQuery: null, savedFilterValues: [] })
  })

  it('converts the former series of a tile to a config', () => {
    const { answer } = createStackClient()
    const series = [
      { type: 'time', sourceId: ids.log, aggFn: 'avg', field: 'Duration', where: '', groupBy: ['a', 'b'], level: 0.3 },
    ]
    const board = answer('dashboard.create', { body: withTile({}, { config: undefined, series }) })
    expect(board.tiles[0].config).toEqual({
      displayType: 'line',
      sourceId: ids.log,
      asRatio: false,
      fillNulls: true,
      groupBy: 'a,b',
      select: [{ aggFn: 'avg', valueExpression: 'Duration', where: '', whereLanguage: 'lucene' }],
    })
  })

  it('reports issues with their paths', () => {
    const { sentences } = createStackClient()
    expect(sentences('dashboard.create', { body: withTile({ displayType: 'gauge' }) })).toEqual([
      "tiles: 0: config: displayType: Invalid discriminator value. Expected 'line' | 'stacked_bar' | 'table' | 'number' | 'pie' | 'markdown' | 'search'",
    ])
    expect(sentences('dashboard.create', { body: withTile({}, { config: undefined }) })).toEqual([
      'tiles: 0: Tile must have either series or config',
    ])
  })

  it('reports each unknown source once, and before unknown connections', () => {
    const { refusal } = createStackClient()
    const sqlConfig = { configType: 'sql', displayType: 'line', connectionId: ids.nobody, sqlTemplate: 'SELECT 1' }
    const sentence = (config: object) => refusal('dashboard.create', { body: withTile(config) }).sentence
    expect(sentence({ ...sqlConfig, sourceId: ids.nobody })).toBe(
      `Could not find the following source IDs: ${ids.nobody}`,
    )
    expect(sentence({ ...sqlConfig, sourceId: ids.log })).toBe(
      `Could not find the following connection IDs: ${ids.nobody}`,
    )
  })

  it('keeps unknown fields of saved filter values in the older edition, and drops them in the newer edition', () => {
    const body = { name: 'x', tiles: [], savedFilterValues: [{ condition: 'c', more: 1 }] }
    const { answer } = createStackClient()
    expect(answer('dashboard.create', { body }).savedFilterValues).toEqual([{ condition: 'c', more: 1 }])
    expect(answer('dashboard.create', { body, edition: '2.36' }).savedFilterValues).toEqual([
      { type: 'sql', condition: 'c' },
    ])
  })

  it('refuses a tile in an unknown container', () => {
    const { refusal } = createStackClient(undefined, { edition: '2.36' })
    const body = withTile({ displayType: 'markdown' }, { containerId: 'attic' })
    expect(refusal('dashboard.create', { body }).sentence).toBe(
      'tiles.0.containerId: Tile references unknown containerId "attic"',
    )
  })

  it.each([
    ['A / (A + B) * 100', undefined],
    ['A /', 'Unexpected end of expression'],
    ['A + C', 'Unknown series "C" — this chart only has series A through B'],
    ['1 + 2', 'Expression must reference at least one series (A, B, C, ...)'],
    ['(A', 'Missing closing parenthesis'],
    ['A B', 'Unexpected series reference "B"'],
  ])('validates the formula %s', (expression, sentence) => {
    const { answer } = createStackClient(undefined, { edition: '2.36' })
    const select = [{ aggFn: 'count' }, { aggFn: 'count' }]
    const config = { displayType: 'number', sourceId: ids.log, select, formulas: [{ expression }] }
    const { errors } = answer('dashboard.validate', { body: withTile(config) })
    expect(errors.map((error: { message: string }) => error.message)).toEqual(sentence === undefined ? [] : [sentence])
  })
})

describe('updating a dashboard', () => {
  const setUp = () => {
    const client = createStackClient()
    const body = { name: 'Shop', tiles: [lineTile, lineTile], tags: ['a'], filters: [filter], savedQuery: 'q' }
    const board = client.answer('dashboard.create', { body })
    const watch = (tile: number) =>
      client.answer('alert.create', { body: alertOn(board, { tileId: board.tiles[tile].id }) })
    const update = (body: object, edition?: '2.36') =>
      client.answer('dashboard.update', { id: board.id, body, ...(edition && { edition }) })
    return { ...client, board, watch, update }
  }

  it('keeps omitted fields, and changes nothing when its own answer is sent back', () => {
    const { board, update } = setUp()
    expect(update(board)).toEqual(board)
    expect(update({ name: 'Shop', tiles: board.tiles })).toEqual(board)
  })

  it('replaces ids of tiles and filters that the dashboard did not have', () => {
    const { board, update } = setUp()
    const changed = update({
      ...board,
      tiles: [{ ...board.tiles[0], id: 'mine' }],
      filters: [{ ...filter, id: 'mine' }],
    })
    expect(changed.tiles[0].id).not.toBe('mine')
    expect(changed.filters[0].id).not.toBe('mine')
  })

  it('deletes the alerts of a removed tile, and no others', () => {
    const { board, watch, update, answer } = setUp()
    const [, kept] = [watch(0), watch(1)]
    update({ ...board, tiles: [board.tiles[1]] })
    expect(answer('alert.list')).toEqual([kept])
  })

  it('deletes the alerts of a tile that becomes markdown, in the newer edition only', () => {
    const { board, watch, update, answer } = setUp()
    watch(0)
    const note = { ...board, tiles: [{ ...board.tiles[0], config: { displayType: 'markdown' } }] }
    update(note)
    expect(answer('alert.list')).toHaveLength(1)
    update(note, '2.36')
    expect(answer('alert.list')).toEqual([])
  })

  it('checks references before the id in the older edition, and after it in the newer edition', () => {
    const { refusal } = setUp()
    const part = { id: ids.nobody, body: withTile({ ...lineTile.config, sourceId: ids.nobody }) }
    expect(refusal('dashboard.update', part).kind).toBe('malformed')
    expect(refusal('dashboard.update', { ...part, edition: '2.36' }).kind).toBe('unknownId')
  })

  it('reports issues of the body before those of the id', () => {
    const { refusal } = setUp()
    const parts = refusal('dashboard.update', { id: 'nope' }).details.issues?.map(({ part }) => part)
    expect(parts).toEqual(['Body', 'Body', 'Params'])
  })
})

describe('listing and deleting dashboards', () => {
  it('sorts the list by descending name, also after a change', () => {
    const { answer } = createStackClient()
    const names = () => answer('dashboard.list').map((board: { name: string }) => board.name)
    const [first] = ['b', 'a', 'B'].map(name => answer('dashboard.create', { body: { name, tiles: [] } }))
    expect(names()).toEqual(['b', 'a', 'B'])
    answer('dashboard.update', { id: first.id, body: { name: '0', tiles: [] } })
    expect(names()).toEqual(['a', 'B', '0'])
  })

  it('deletes the alerts of a dashboard with it', () => {
    const { answer, ask } = createStackClient()
    const [doomed, spared] = ['doomed', 'spared'].map(name =>
      answer('dashboard.create', { body: { name, tiles: [lineTile] } }),
    )
    answer('alert.create', { body: alertOn(doomed) })
    const kept = answer('alert.create', { body: alertOn(spared) })
    ask('dashboard.delete', { id: doomed.id.toUpperCase() })
    expect(answer('alert.list')).toEqual([kept])
  })
})
