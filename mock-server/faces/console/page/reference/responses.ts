import { element } from '../element.ts'
import { type Content, type Description, nameOf, type Operation, type Schema } from '../openapi.ts'
import { badge, body } from '../parts.ts'
import { schemaTree } from '../schema-tree.ts'

/** What an operation may answer, by status: its fields and an example, drawn when it is opened. */
export const renderResponses = ({ responses }: Operation, { components }: Description): HTMLElement =>
  element('section.responses', [
    element('h3', 'Answers'),
    Object.entries(responses).map(([status, answer]) => {
      const found = components.responses?.[nameOf(answer) ?? ''] ?? answer
      const details = element('details.panel', [
        element('summary', [
          badge(status, status.startsWith('2') ? 'good' : 'warn'),
          element('span', ` ${found.description ?? ''}`),
        ]),
      ])
      details.addEventListener('toggle', () => {
        if (details.childElementCount > 1) return
        const example = Object.values(found.content ?? {})[0]?.example
        details.append(
          element('div.inside', [
            schemaTree(schemaOf(found), components.schemas),
            example !== undefined && body(JSON.stringify(example)),
          ]),
        )
      })
      return details
    }),
  ])

export const schemaOf = ({ content }: Content): Schema | undefined => content && Object.values(content)[0]?.schema
