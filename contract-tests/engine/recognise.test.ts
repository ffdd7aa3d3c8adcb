import { describe, expect, it } from 'vitest'
import { findList, findObject, idOf, isObject, isUuid, momentOf, sameId } from './recognise.ts'

/** `fixtures/examples/` has more dates, ids and addresses. */

describe('isObject', () => {
  it.each([
    [{}, true],
    [{ id: 1 }, true],
    [[], false],
    [null, false],
    ['{}', false],
    [undefined, false],
  ])('takes %j for an object: %s', (value, verdict) => {
    expect(isObject(value)).toBe(verdict)
  })
})

describe('a UUID', () => {
  it('is a string, not a list with a string in it', () => {
    const text = '01234567-89ab-4def-8123-456789abcdef'
    expect([isUuid(text), isUuid([text])]).toEqual([true, false])
  })
})

describe('the id of an alert', () => {
  it.each([
    [{ id: 'a' }, 'a'],
    [{ _id: 'a' }, 'a'],
    [{ alertId: 'a' }, 'a'],
    [{ alert_id: 'a' }, 'a'],
    [{ uuid: 'a' }, 'a'],
    [{ id: 7 }, '7'],
    [{ id: 0 }, '0'],
    [{ id: '', _id: 'b' }, 'b'],
    [{ id: null, uuid: 'b' }, 'b'],
    [{ id: 'first', _id: 'second' }, 'first'],
    [{ id: 'a'.repeat(200) }, 'a'.repeat(200)],
    [{ id: '...' }, '...'],
    [{ id: '..a' }, '..a'],
    [{ id: '\u{1f514}' }, '\u{1f514}'],
    [{ id: 'a'.repeat(201) }, undefined],
    [{ id: '.' }, undefined],
    [{ id: '..' }, undefined],
    [{ id: '\u001b]0;title\u0007id' }, undefined],
    [{ id: 'one\n::error::two' }, undefined],
    [{ id: 'a\u009b2Jb' }, undefined],
    [{ id: 'a\u202eb' }, undefined],
    [{ id: 'é 数' }, 'é 数'],
    [{ id: 'a\ud800' }, undefined],
    [{ id: true }, undefined],
    [{ dashboardId: 'a' }, undefined],
    [{ name: 'a' }, undefined],
    [['a'], undefined],
    ['a', undefined],
    [undefined, undefined],
  ])('in %j is %j', (object, id) => {
    expect(idOf(object, 'alert')).toBe(id)
  })

  it('is compared regardless of letter case', () => {
    expect([sameId('aB', 'Ab'), sameId('a', 'b')]).toEqual([true, false])
  })
})

describe('the object in an answer', () => {
  const alert = { id: 'a' }
  it.each([
    ['at the top level', alert],
    ['in data', { data: alert }],
    ['in result', { status: 200, result: alert }],
    ['under the name of its resource', { alert }],
    ['in item', { item: alert }],
    ['in object', { object: alert }],
    ['in value', { value: alert }],
    ['inside three wrappers', { result: { data: { alert } } }],
  ])('is found %s', (_, json) => {
    expect(findObject(json, 'alert')).toEqual(alert)
  })

  it('is the outermost object with an id', () => {
    expect(findObject({ id: 'outer', data: { id: 'inner' } }, 'alert')).toEqual({ id: 'outer', data: { id: 'inner' } })
  })

  it.each([
    ['inside four wrappers', { data: { data: { data: { data: alert } } } }],
    ['in a list', { data: [alert] }],
    ['under the name of another resource', { dashboard: alert }],
    ['without an id', { data: { name: 'a' } }],
    ['in null', null],
  ])('is not found %s', (_, json) => {
    expect(findObject(json, 'alert')).toBeUndefined()
  })
})

describe('the list in an answer', () => {
  const list = [{ id: 'a' }, { id: 'b' }]
  it.each([
    ['at the top level', list],
    ['in data', { data: list }],
    ['in any field', { total: 2, rows: list }],
    ['inside two wrappers', { result: { alerts: list } }],
    ['inside three wrappers', { a: { b: { c: list } } }],
    ['under the name of its resource, after another list', { aside: [{ id: 'other' }], alerts: list }],
    ['under the name of its resource, after a name that contains it', { lastalert: [{ id: 'other' }], alerts: list }],
    ['under the name of its resource, before a name that contains it', { alerts: list, lastalert: [{ id: 'other' }] }],
    ['among many fields', { a: 1, b: 2, c: 3, d: 4, alerts: list }],
  ])('is found %s', (_, json) => {
    expect(findList(json, 'alert')).toEqual(list)
  })

  it('is empty if the answer has an empty list', () => {
    expect([findList([], 'alert'), findList({ data: [] }, 'alert')]).toEqual([[], []])
    expect(findList({ status: 200, requestId: '', took: 0, data: [] }, 'alert')).toEqual([])
  })

  it.each([
    ['if it is empty and one of many fields', { id: 'a', name: '', tiles: [], x: 0, y: 0 }],
    ['if its items are strings', { data: ['a', 'b'] }],
    ['if an item is null', { data: [{ id: 'a' }, null] }],
    ['inside four wrappers', { a: { b: { c: { d: list } } } }],
    ['if it is null', { data: null }],
    ['without a body', undefined],
  ])('is not found %s', (_, json) => {
    expect(findList(json, 'alert')).toBeUndefined()
  })
})

describe('momentOf', () => {
  const noon = Date.UTC(2016, 11, 31, 12)
  it.each([
    ['2016-12-31T12:00:00Z', noon],
    ['2016-12-31t12:00:00z', noon],
    ['2016-12-31T14:00:00+02:00', noon],
    ['2016-12-31T12:00:00.25Z', noon + 250],
    ['2016-12-31T14:00:00.0005+02:00', noon + 0.5],
    ['2016-12-31T23:59:60Z', Date.UTC(2017, 0, 1)],
    ['2016-12-31T23:59:60.5Z', Date.UTC(2017, 0, 1) + 500],
    ['2017-01-01T05:29:60+05:30', Date.UTC(2017, 0, 1)],
    ['2016-12-31T15:59:60-08:00', Date.UTC(2017, 0, 1)],
  ])('reads %s as %d ms', (text, moment) => {
    expect(momentOf(text)).toBe(moment)
  })
})
