import { describe, expect, it } from 'vitest'
import { type Issue, Refusal, type RefusalKind } from '../../words/refusal.ts'
import { gapOf } from './refusal-table.ts'

const of = (kind: RefusalKind, more: Refusal['more'] = {}) => new Refusal(kind, '', more)
const issue = (part: Issue['part']): Issue => ({ part, path: [], says: '' })

describe('the gap that says how a refusal looks', () => {
  it.each([
    [of('unknownId'), 'backup.get', 'backup/unknown-id'],
    [of('unknownId'), 'alert.get', 'alert/unknown-id'],
    [of('unknownId'), 'dashboard.update', 'dashboard/update-unknown'],
    [of('unknownId'), 'connections.delete', 'dashboard/unknown-id'],
    [of('unknownId'), 'sources.get', undefined],
    [of('unknownId'), undefined, undefined],
    [of('unknownSource'), 'chart.query', 'chart/unknown-source'],
    [of('unreadableWhere'), 'chart.query', 'chart/unreadable-where'],
    [of('unrouted'), undefined, 'path/unknown-path'],
    [of('wrongMethod'), undefined, 'path/wrong-method'],
    [of('invalid', { issues: [issue('Params'), issue('Params')] }), 'alert.get', 'path/malformed-id'],
    [of('invalid', { issues: [issue('Params'), issue('Body')] }), 'alert.update', undefined],
    [of('invalid'), 'alert.create', undefined],
    [of('malformed'), 'alert.create', undefined],
    [of('malformed', { gap: 'error/malformed-json' }), 'alert.create', 'error/malformed-json'],
    [of('unknownId', { gap: 'backup/unknown-service' }), 'backup.get', 'backup/unknown-service'],
    [of('conflict'), 'alert.delete', undefined],
  ] as const)('is that of kind and operation, unless it is named: %j of %s', (refusal, operation, gap) => {
    expect(gapOf(refusal, operation, true)).toBe(gap)
  })

  it('of credentials depends on whether there were any', () => {
    expect(gapOf(of('unauthenticated'), 'alert.list', true)).toBe('auth/invalid-credentials')
    expect(gapOf(of('unauthenticated'), 'alert.list', false)).toBe('auth/missing-credentials')
  })
})
