import { describe, expect, it } from 'vitest'
import { operations, rules } from '../../fixtures/built-contract/index.ts'
import { nearest } from './nearest.ts'

const commands = ['mock', 'verify', 'sweep', 'compare', 'capture']
const options = ['host', 'cloud-port', 'as', 'gaps', 'rule', 'rate', 'state']

describe('the nearest name', () => {
  it.each([
    ['mokc', commands, 'mock'],
    ['comapre', commands, 'compare'],
    ['verfy', commands, 'verify'],
    ['cloud-prt', options, 'cloud-port'],
    ['gap', options, 'gaps'],
    ['sa', options, 'as'],
    ['alerts.list', Object.keys(operations), 'alert.list'],
    ['envelope/status-equal-http', Object.keys(rules), 'envelope/status-equals-http'],
    ['request-id-is-uuid-v4', Object.keys(rules), 'envelope/request-id-is-uuid-v4'],
  ])('to %s is found', (word, list, meant) => {
    expect(nearest(word, list)).toBe(meant)
  })

  it.each([
    ['zzzz', commands],
    ['zzzz', options],
    ['zzzz', Object.keys(rules)],
    ['port', options],
    ['x', options],
    ['', options],
    ['x'.repeat(1_000_000), Object.keys(rules)],
    ['mock', []],
  ])('is not found for a word that resembles no name (case %#)', (word, list) => {
    expect(nearest(word, list)).toBeUndefined()
  })
})
