import { expect, it } from 'vitest'
import { operations } from '../../../fixtures/contract/index.ts'
import { isStated } from './stated.ts'

it('takes for stated what the specification shows of a request or of an answer', () => {
  expect(isStated(operations['member.list'], 'cloud', 'answer')).toBe(true)
  expect(isStated(operations['alert.create'], 'selfHosted', 'request')).toBe(true)
  expect(isStated(operations['alert.create'], 'selfHosted', 'answer')).toBe(false)
  expect(isStated(operations['alert.update'], 'selfHosted', 'request')).toBe(false)
})

it('takes nothing for stated of a body that an operation does not have', () => {
  expect(isStated(operations['member.list'], 'cloud', 'request')).toBe(false)
  expect(isStated(operations['backup.get'], 'cloud', 'request')).toBe(false)
  expect(isStated(operations['dashboard.list'], 'managed', 'request')).toBe(false)
})
