import { describe, expect, it } from 'vitest'
import hostileReport from '../../fixtures/schemas/examples/hostile-report.json'
import { renderJUnit } from './junit.ts'
import type { Report } from './report.ts'

const hostile = hostileReport as Report

interface Element {
  readonly name: string
  readonly attributes: Readonly<Record<string, string>>
  readonly children: Element[]
  text: string
}

/** A strict XML parser: throws if the text is not well-formed or has a character that XML 1.0 forbids. */
function parseXml(xml: string): Element {
  const forbidden = /[^\t\n\r\u{20}-\u{d7ff}\u{e000}-\u{fffd}\u{10000}-\u{10ffff}]/u.exec(xml)
  if (forbidden) throw new Error(`forbidden character ${JSON.stringify(forbidden[0])}`)
  const body = xml.replace(/^<\?xml version="1\.0" encoding="UTF-8"\?>\n/, '')
  const top: Element = { name: '', attributes: {}, children: [], text: '' }
  const open = [top]
  let at = 0
  for (const match of body.matchAll(/<(\/?)([a-z-]+)((?: [a-z]+="[^"<]*")*)(\/?)>/g)) {
    open.at(-1)!.text += decode(body.slice(at, match.index))
    at = match.index + match[0].length
    const [, end, name = '', attributes = '', empty] = match
    if (end) {
      if (open.pop()!.name !== name) throw new Error(`unexpected </${name}>`)
      continue
    }
    const pairs = [...attributes.matchAll(/ ([a-z]+)="([^"]*)"/g)].map(
      ([, key, value]) => [key!, decode(value!)] as const,
    )
    if (new Set(pairs.map(([key]) => key)).size < pairs.length) throw new Error('an attribute twice')
    const element: Element = { name, attributes: Object.fromEntries(pairs), children: [], text: '' }
    open.at(-1)!.children.push(element)
    if (!empty) open.push(element)
  }
  if (open.length !== 1 || top.children.length !== 1 || body.slice(at).trim() !== '') throw new Error('not one element')
  return top.children[0]!
}

function decode(text: string): string {
  const bare = /[<>]|]]>|&(?!(?:amp|lt|gt|quot|#10|#9);)/.exec(text)
  if (bare) throw new Error(`bare ${bare[0]} in ${text.slice(0, 80)}`)
  const entities: Record<string, string> = { amp: '&', lt: '<', gt: '>', quot: '"', '#10': '\n', '#9': '\t' }
  return text.replace(/&([^;]+);/g, (_, name: string) => entities[name]!)
}

/** The JUnit schema of Jenkins: the children of each element, and its required and optional attributes. */
const schema: Record<string, { children: string[]; required: string[]; optional: string[] }> = {
  testsuites: { children: ['testsuite'], required: [], optional: ['name', 'time', 'tests', 'failures', 'errors'] },
  testsuite: {
    children: ['testsuite', 'properties', 'testcase', 'system-out', 'system-err'],
    required: ['name', 'tests', 'failures', 'errors'],
    optional: ['group', 'time', 'skipped', 'timestamp', 'hostname', 'id', 'package', 'file', 'log', 'url'],
  },
  properties: { children: ['property'], required: [], optional: [] },
  property: { children: [], required: ['name', 'value'], optional: [] },
  testcase: {
    children: ['skipped', 'error', 'failure', 'system-out', 'system-err'],
    required: ['name'],
    optional: ['time', 'classname', 'group'],
  },
  failure: { children: [], required: [], optional: ['type', 'message'] },
  error: { children: [], required: [], optional: ['type', 'message'] },
  skipped: { children: [], required: [], optional: ['type', 'message'] },
  'system-out': { children: [], required: [], optional: [] },
}

function expectValid({ name, attributes, children }: Element): void {
  const allowed = schema[name]!
  expect([...allowed.required, ...allowed.optional]).toEqual(expect.arrayContaining(Object.keys(attributes)))
  expect(Object.keys(attributes)).toEqual(expect.arrayContaining(allowed.required))
  if (attributes.time) expect(attributes.time).toMatch(/^\d+\.\d{3}$/)
  for (const child of children) {
    expect(allowed.children).toContain(child.name)
    expectValid(child)
  }
}

const root = parseXml(renderJUnit(hostile))
const casesOf = (suite: Element) => suite.children.filter(({ name }) => name === 'testcase')
const cases = root.children.flatMap(casesOf)
const outcomeOf = (name: string) => cases.find(({ attributes }) => attributes.name === name)!.children[0]

describe('the JUnit report', () => {
  it('is well-formed and keeps to the schema of Jenkins, even for a hostile target', () => {
    expect(root.name).toBe('testsuites')
    expectValid(root)
  })

  it('has a suite for each section and a case for each rule', () => {
    expect(root.children.map(({ attributes }) => attributes.name)).toEqual([
      '§1 What the service does',
      '§2.1 Response envelope',
      '§2.2 Member',
      '§2.3 Backup',
      '§2.6 Other resources',
      '§7 Errors',
      'Drift',
    ])
    expect(cases).toHaveLength(new Set(hostile.rules.map(({ id }) => id)).size + hostile.drift.length)
    expect(cases[0]!.attributes).toMatchObject({
      name: 'dashboard/list-answers',
      classname: '§1 What the service does',
      group: 'must',
    })
  })

  it('counts the cases of each suite by outcome', () => {
    for (const suite of root.children) {
      const count = (name: string) => casesOf(suite).filter(({ children }) => children[0]?.name === name).length
      expect(suite.attributes).toMatchObject({
        tests: String(casesOf(suite).length),
        failures: String(count('failure')),
        errors: String(count('error')),
        skipped: String(count('skipped')),
      })
    }
    expect(root.attributes).toMatchObject({ tests: '10', failures: '3', errors: '1', time: '1.234' })
  })

  it('fails a broken rule with its level, and no rule that is observed or known to be broken', () => {
    expect(outcomeOf('member/role-is-admin-or-developer')).toMatchObject({
      name: 'failure',
      attributes: { type: 'must', message: expect.stringContaining('expected "admin" or "developer"') },
    })
    expect(outcomeOf('error/malformed-json')).toMatchObject({
      name: 'failure',
      attributes: { type: 'should' },
    })
    expect(outcomeOf('dashboard/list-answers')?.name).toBe('error')
    expect(outcomeOf('backup/finished-not-before-started')).toMatchObject({
      name: 'skipped',
      attributes: { type: 'known-broken' },
    })
    expect(outcomeOf('backup/iam-role-arn-is-a-string')).toMatchObject({
      name: 'skipped',
      attributes: { message: 'cloud: the backup has no iamRoleArn' },
    })
    expect(outcomeOf('webhook/fields-present')).toMatchObject({ name: 'system-out' })
  })

  it('fails a rule that holds although it is listed as known to be broken', () => {
    expect(outcomeOf('envelope/status-equals-http')?.name).toBe('failure')
  })

  it('escapes control characters, which XML cannot hold', () => {
    expect(outcomeOf('member/role-is-admin-or-developer')!.attributes.message).toContain('\\u{202e}evil\\u{d800}')
    expect(outcomeOf('webhook/fields-present')!.text).toContain('\\u{1b}[31mred')
  })
})
