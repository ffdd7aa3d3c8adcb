import type { Page } from '../app.ts'
import { button } from '../parts.ts'
import type { Stack } from '../stacks.ts'
import { type Changes, createChanges } from './changes.ts'
import { kinds, type ListedRecord } from './kinds.ts'

/** What may be done to the dashboards or alerts of a stack; the view is shown anew after each change. */
export const changesInStack = (name: 'dashboards' | 'alerts', stack: Stack, page: Page): Changes =>
  createChanges({
    ...{ name, kind: kinds[name], place: { organization: stack.organization, service: stack.id }, page },
    samples: () => [],
    redraw: async () => dispatchEvent(new Event('hashchange')),
  })

/** Buttons that edit and delete a record. */
export const changeButtons = ({ edit, remove }: Changes, record: ListedRecord): HTMLElement[] => [
  button('Edit', () => edit(record), { class: 'copy' }),
  button('Delete', () => remove(record), { class: 'copy' }),
]
