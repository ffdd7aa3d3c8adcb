import { describe, expect, it } from 'vitest'
import { openWithService } from '../../../testing/open-service.ts'

const set = (settings: object) => ({ settings })
const defaults = [
  { name: 'compatibility', value: '24.8' },
  { name: 'max_threads', value: 8 },
  { name: 'max_concurrent_queries_for_user', value: 100 },
]

describe('the settings of a service', () => {
  it('are the defaults for a new service', async () => {
    const { ask } = await openWithService()
    expect((await ask('GET', '/clickhouseSettings')).result).toEqual({ settings: defaults })
    for (const one of defaults) expect((await ask('GET', `/clickhouseSettings/${one.name}`)).result).toEqual(one)
  })

  it('are set, read with their types, and deleted', async () => {
    const { ask } = await openWithService()
    const { result } = await ask('PATCH', '/clickhouseSettings', set({ compatibility: '24.8', max_threads: 4 }))
    expect(result.settings).toEqual({ compatibility: '24.8', max_threads: 4 })
    expect(result.warnings).toEqual([{ name: 'compatibility', message: expect.any(String) }])
    expect((await ask('GET', '/clickhouseSettings')).result.settings).toEqual([
      { name: 'compatibility', value: '24.8' },
      { name: 'max_threads', value: 4 },
      { name: 'max_concurrent_queries_for_user', value: 100 },
    ])
    expect((await ask('GET', '/clickhouseSettings/max_threads')).result).toEqual({ name: 'max_threads', value: 4 })
    expect((await ask('DELETE', '/clickhouseSettings/max_threads')).status).toBe(200)
    expect((await ask('GET', '/clickhouseSettings/max_threads')).status).toBe(404)
    // Deleting a setting that is not set succeeds.
    expect((await ask('DELETE', '/clickhouseSettings/max_threads')).status).toBe(200)
  })

  it('are strings in a JSON string by choice, as in the August document', async () => {
    const { ask } = await openWithService({}, { choices: { cloud: { 'clickhouseSetting/types': 'text' } } })
    const { result } = await ask('PATCH', '/clickhouseSettings', { settings: '{"max_threads":8}' })
    expect(result.settings).toBe('{"max_threads":"8"}')
    expect((await ask('GET', '/clickhouseSettings/max_threads')).result.value).toBe('8')
  })

  it('are accepted for every example of the schema', async () => {
    const { ask } = await openWithService()
    const { result } = await ask('GET', '/clickhouseSettings/schema')
    expect(result.settings).toContainEqual(expect.objectContaining({ name: 'keep_alive_timeout', type: 'number' }))
    for (const { name, example } of result.settings) {
      expect((await ask('PATCH', '/clickhouseSettings', set({ [name]: example }))).status, name).toBe(200)
    }
    expect((await ask('DELETE', '/clickhouseSettings/colour')).status).toBe(404)
  })

  it.each([
    [{ settings: '{' }, 'settings: Expected the text of a JSON object <string:"{">'],
    [{ settings: '[]' }, 'settings: Expected the text of a JSON object <string:"[]">'],
    [set({ colour: 'red' }), 'settings.colour: There is no such setting <string:"red">'],
    [set({ max_threads: 'many' }), 'settings.max_threads: Expected a number of at least 0 <string:"many">'],
    [
      set({ shared_merge_tree_disable_merges_and_mutations_assignment: 2 }),
      'settings.shared_merge_tree_disable_merges_and_mutations_assignment: Expected one of 0, 1 <number:2>',
    ],
  ])('are refused with %j', async (body, sentence) => {
    const { ask } = await openWithService()
    const { status, error } = await ask('PATCH', '/clickhouseSettings', body)
    expect([status, error]).toEqual([400, `BAD_REQUEST: request body.${sentence}`])
    expect((await ask('GET', '/clickhouseSettings')).result.settings).toEqual(defaults)
  })
})
