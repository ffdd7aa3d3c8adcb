import { expect, it } from 'vitest'
import { type Field, operations, resources } from '../../fixtures/contract/index.ts'
import { isStated, sampleValues } from './stated.ts'

it('names sample values that the contract allows', () => {
  for (const [place, values] of Object.entries(sampleValues)) {
    const [resource, ...path] = place.split('.')
    const field = path.reduce<Field>(
      (holder, name) => {
        const found = holder.fields![name.replace('[]', '')]!
        return name.endsWith('[]') ? found.items! : found
      },
      { type: 'object', basis: 'stated', says: '', fields: resources[resource as keyof typeof resources].fields },
    )
    expect(field.values, place).toEqual(expect.arrayContaining([...values]))
  }
})

it('takes for stated what the specification shows of a request or of an answer', () => {
  expect(isStated(operations['member.list'], 'cloud', 'answer')).toBe(true)
  expect(isStated(operations['alert.create'], 'selfHosted', 'request')).toBe(true)
  expect(isStated(operations['alert.create'], 'selfHosted', 'answer')).toBe(false)
  expect(isStated(operations['alert.update'], 'selfHosted', 'request')).toBe(false)
})
