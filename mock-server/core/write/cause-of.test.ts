import { describe, expect, it } from 'vitest'
import { gaps, type Operation, type OperationId, operations } from '../../../fixtures/built-contract/index.ts'
import { core } from '../../mock/made-of.ts'
import { conflict, type Issue, invalid, malformed, Refusal, unknownId } from '../../words/refusal.ts'
import { causeOfRefusal, causeOfSuccess, gapOf } from './cause-of.ts'

const contextOf = (id: OperationId | undefined, choiceOfGap: Readonly<Record<string, string>> = {}) => ({
  core,
  form: 'selfHosted' as const,
  id,
  operation: id && (operations[id] as Operation),
  choiceOfGap,
})
const issue = (part: Issue['part']): Issue => ({ part, path: ['id'], sentence: 'Expected an id' })

describe('the gap that determines a refusal', () => {
  it.each([
    [unknownId('Backup'), 'backup.get', 'backup/unknown-id'],
    [unknownId('Alert'), 'alert.get', 'alert/unknown-id'],
    [unknownId('Dashboard'), 'dashboard.update', 'dashboard/update-unknown'],
    [unknownId('Connection'), 'connection.delete', 'dashboard/unknown-id'],
    [unknownId('Source'), 'source.get', undefined],
    [unknownId('Nothing'), undefined, undefined],
    [new Refusal('unknownId', '', { gap: 'backup/unknown-service' }), 'backup.get', 'backup/unknown-service'],
    [invalid([issue('Params'), issue('Params')]), 'alert.get', 'path/malformed-id'],
    [invalid([issue('Params'), issue('Body')]), 'alert.update', undefined],
    [malformed('It is none'), 'alert.create', undefined],
    [conflict('It is in use'), 'alert.delete', undefined],
  ] as const)(
    'is named by the refusal, or is the gap of the operation about unknown ids: %j of %s',
    (refusal, id, gap) => {
      expect(gapOf(refusal, contextOf(id))).toBe(gap)
    },
  )
})

describe('the cause of a refusal', () => {
  it('has the gap, its choice, the sentence of the refusal, and the reason for the default', () => {
    expect(causeOfRefusal(unknownId('Alert'), 404, contextOf('alert.get', { 'alert/unknown-id': '404 json' }))).toEqual(
      {
        basis: gaps['alert/unknown-id'].basis,
        rule: 'alert/unknown-id',
        choice: '404 json',
        why: expect.stringMatching(/^NOT_FOUND: Alert not found\. ./),
      },
    )
  })

  it('has the basis observed if the choice is not the default', () => {
    const cause = causeOfRefusal(unknownId('Alert'), 410, contextOf('alert.get', { 'alert/unknown-id': '410 text' }))
    expect(cause).toMatchObject({ basis: 'observed', choice: '410 text', why: expect.stringContaining('410 text') })
  })

  it('is the rule about 400 in the cloud, and the gap about its body in the self-hosted form', () => {
    const refusal = invalid([issue('Body')])
    const selfHosted = contextOf('alert.create', { 'error/self-hosted-body': 'message' })
    expect(causeOfRefusal(refusal, 400, { ...selfHosted, form: 'managed' })).toMatchObject({
      basis: 'stated',
      rule: 'error/bad-request-has-error-sentence',
      why: 'BAD_REQUEST: request body.id: Expected an id',
    })
    expect(causeOfRefusal(refusal, 400, selfHosted)).toMatchObject({
      rule: 'error/self-hosted-body',
      choice: 'message',
    })
  })
})

describe('the cause of a success', () => {
  it.each([
    ['alert.create', 'alert/create-accepts-the-sample', 'stated'],
    ['dashboard.get', 'dashboard/get-answers', 'implied'],
    ['teamMember.delete', undefined, 'documented'],
    ['root.get', undefined, 'observed'],
  ] as const)(
    'is the rule about the answer to %s, or the basis of the operation if there is no such rule',
    (id, rule, basis) => {
      const cause = causeOfSuccess(contextOf(id))
      expect([cause.rule, cause.basis]).toEqual([rule, basis])
      expect(cause.why).toMatch(/\.$/)
    },
  )
})
