import { describe, expect, it } from 'vitest'
import { contract } from '../../fixtures/built-contract/index.ts'
import type { Option } from './option.ts'
import { environmentVariableOf, options } from './options.ts'
import { readOptions as read } from './read-options.ts'

/** The result is undefined only for --help. */
const readOptions = (...args: Parameters<typeof read>) => read(...args)!

const allOptions = Object.entries(options as Readonly<Record<string, Option<unknown>>>)

describe('the options of the mock', () => {
  it.each(allOptions)(
    'include --%s, which refuses a wrong value with its name, the value and what it expects',
    (name, option) => {
      if (option.placeholder) expect(() => readOptions([`--${name}=`])).toThrow(`--${name} needs a value: --${name}`)
      // An option for any text accepts "§", too.
      if (option.read('§', contract) !== undefined) return
      const sentence = `takes ${option.expected}, not "§".`
      expect(() => readOptions([`--${name}=§`])).toThrow(`--${name} ${sentence}`)
      expect(() => readOptions([], { [environmentVariableOf(name)]: '§' })).toThrow(
        `${environmentVariableOf(name)} ${sentence}`,
      )
    },
  )

  it('accept lists of values, and name the wrong value', () => {
    const options = readOptions(['--fault', 'alert/list-answers', '--fault=alert/get-answers, source/list-answers'])
    expect(options.fault).toEqual(['alert/list-answers', 'alert/get-answers', 'source/list-answers'])
    const env = { STACK_PARITY_FAULT: 'alert/list-answers,alert/lists-answer' }
    expect(() => readOptions([], env)).toThrow(
      'STACK_PARITY_FAULT takes the id of a rule, not "alert/lists-answer". Did you mean alert/list-answers?',
    )
    expect(readOptions(['--fault', 'alert/get-answers'], { STACK_PARITY_FAULT: 'alert/list-answers' }).fault).toEqual([
      'alert/get-answers',
    ])
  })

  it('normalise a host as URLs do, and refuse what is not a host', () => {
    const options = readOptions(['--webhook-host', 'Hooks.Example.com,10.1', '--webhook-host', 'fd00::1'])
    expect(options['webhook-host']).toEqual(['hooks.example.com', '10.0.0.1', '[fd00::1]'])
    for (const wrong of ['http://a.b', 'a.b:80', 'a.b/c', 'user@a.b', 'a b']) {
      expect(() => readOptions(['--webhook-host', wrong])).toThrow(
        `--webhook-host takes a host without scheme, port or path, such as example.com, not "${wrong}".`,
      )
    }
  })

  it('normalise origins as browsers do, and accept words for groups of origins', () => {
    const options = readOptions(['--cors', 'HTTP://LocalHost:3000,https://a.test:443', '--cors', 'null'])
    expect(options.cors).toEqual(['http://localhost:3000', 'https://a.test', 'null'])
    expect(readOptions([], { STACK_PARITY_CORS: 'as-deployed' }).cors).toEqual(['as-deployed'])
    for (const [wrong, meant] of [
      ['*', 'any'],
      ['http://localhost:3000/app', 'http://localhost:3000'],
      ['as-deploied', 'as-deployed'],
    ]) {
      expect(() => readOptions(['--cors', wrong!])).toThrow(
        `--cors takes an origin such as http://localhost:3000, or any, none or as-deployed alone, not "${wrong}". Did you mean ${meant}?`,
      )
    }
  })

  it('accept a duration only with its unit', () => {
    expect(readOptions(['--world-idle', '90s'])).toEqual({ 'world-idle': 90_000 })
    expect(readOptions([], { STACK_PARITY_WORLD_IDLE: '2d' })).toEqual({ 'world-idle': 172_800_000 })
    for (const wrong of ['30', '0m', '-1h', '1.5h', '1w']) {
      expect(() => readOptions(['--world-idle', wrong])).toThrow('--world-idle takes a duration such as 90s, 30m')
    }
  })

  it('accept the speed of the clock from the environment', () => {
    expect(readOptions(['--freeze'], { STACK_PARITY_SPEED: '60' })).toEqual({ freeze: true, speed: 60 })
    expect(() => readOptions(['--speed', '0'])).toThrow('--speed takes a whole number from 1 to 100000, not "0".')
  })
})
