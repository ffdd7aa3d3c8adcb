import { describe, expect, it } from 'vitest'
import {
  type Field,
  type Fields,
  gaps,
  type Operation,
  operations,
  resources,
  rules,
} from '../../fixtures/built-contract/index.ts'
import { compareSections } from '../rules/select.ts'
import { heldSentences } from './sentences.ts'

const ids = [...Object.keys(rules), ...Object.keys(gaps)]

describe('the contract', () => {
  it('keeps its ids, which never change their meaning (-u on this file adds new ids to the snapshot)', () => {
    expect([...ids].sort()).toMatchSnapshot()
  })

  it('has no id for both a rule and a gap', () => {
    expect(Object.keys(rules).filter(id => id in gaps)).toEqual([])
  })

  it('spells ids as subject/claim, the subject like a resource and the claim in lower-case words', () => {
    expect(ids.filter(id => !/^[a-z]+(?:[A-Z][a-z]+)*\/[a-z0-9]+(?:[-.][a-z0-9]+)*$/.test(id))).toEqual([])
  })

  it('bases every rule and gap on a sentence of the specification, unless only the vendor documents it', () => {
    const held = new Set(heldSentences.flatMap(({ heldBy }) => heldBy))
    const isDocumented = (id: string) => (rules as Record<string, { level: string }>)[id]?.level === 'documented'
    /** A gap about a resource for which the specification has no operation. */
    const isBeyond = (id: string) => {
      const own = Object.entries(operations as Record<string, Operation>).filter(([operation]) =>
        operation.startsWith(`${id.split('/')[0]}.`),
      )
      return id in gaps && own.length > 0 && own.every(([, { basis }]) => basis !== undefined)
    }
    expect(ids.filter(id => !held.has(id) && !isDocumented(id) && !isBeyond(id))).toEqual([])
  })

  it('has existing rules or gaps for every sentence', () => {
    expect(heldSentences.filter(({ heldBy }) => heldBy.length === 0)).toEqual([])
    expect(heldSentences.flatMap(({ heldBy }) => heldBy).filter(id => !ids.includes(id))).toEqual([])
  })

  it('covers the specification from section 1 to section 9', () => {
    const sections = [...new Set(heldSentences.map(({ section }) => section))].sort(compareSections)
    expect(sections).toEqual([
      '1',
      '2.1',
      '2.2',
      '2.3',
      '2.4',
      '2.5',
      '2.6',
      '3',
      '4.1',
      '4.2',
      '4.3',
      '5',
      '6',
      '7',
      '8',
      '9',
    ])
  })

  it('has a method, a path and a section for every operation, including actions', () => {
    const lacking = Object.entries(operations as Record<string, Partial<Operation>>).filter(
      ([, { method, paths, pathsBeyondSpecification, section }]) =>
        !method || !section || Object.keys({ ...paths, ...pathsBeyondSpecification }).length === 0,
    )
    expect(lacking.map(([id]) => id)).toEqual([])
  })

  it('has a default for every gap in each form, and it is one of the choices of the gap', () => {
    for (const [id, gap] of Object.entries(gaps)) {
      const defaults =
        typeof gap.default === 'string'
          ? [gap.default]
          : gap.forms.map(form => (gap.default as Record<string, string>)[form])
      expect(defaults, id).not.toContain(undefined)
      for (const choice of defaults) expect(gap.choices, id).toContain(choice)
    }
  })

  it('allows the values that the samples of the specification show', () => {
    const walk = (fields: Fields): Field[] =>
      Object.values(fields).flatMap(field => [
        field,
        ...walk(field.fields ?? {}),
        ...walk(field.items ? { items: field.items } : {}),
      ])
    const shown = Object.values(resources).flatMap(({ fields }) => walk(fields).filter(field => field.sampleValues))
    expect(shown).not.toEqual([])
    for (const field of shown)
      expect(field.values, field.description).toEqual(expect.arrayContaining([...field.sampleValues!]))
  })

  it('has no must rule about the answers of operations that the specification lists without showing them', () => {
    const unshown = Object.entries(operations).filter(([, operation]) => !operation.shownForms)
    for (const [id] of unshown) {
      const [resource, verb] = id.split('.')
      const rule = (rules as Record<string, { level: string }>)[`${resource}/${verb}-answers`]
      if (rule) expect(['should', 'documented'], id).toContain(rule.level)
    }
  })
})
