import { readAbout } from '../about.ts'
import type { Page } from '../app.ts'
import { everywhere } from '../ask.ts'
import { element } from '../element.ts'
import { list } from '../stacks.ts'
import { type Changes, createChanges } from './changes.ts'
import { kinds, type ListedRecord } from './kinds.ts'

/** What may be done to the dashboards or alerts of a stack; the view is shown anew after each change. */
export async function changesInStack(name: 'dashboards' | 'alerts', stack: string, page: Page): Promise<Changes> {
  const { selfHostedStack } = await readAbout()
  const organization = stack === selfHostedStack ? '' : await organizationOf(stack)
  return createChanges({
    ...{ name, kind: kinds[name], place: { organization, service: stack }, selfHostedStack, page },
    samples: () => [],
    redraw: async () => dispatchEvent(new Event('hashchange')),
  })
}

async function organizationOf(service: string): Promise<string> {
  for (const { id } of (await list('organizations', everywhere)).records) {
    const services = await list('services', id)
    if (services.records.some(one => one.id === service)) return id
  }
  return ''
}

/** Buttons that edit and delete a record. */
export const changeButtons = ({ edit, remove }: Changes, record: ListedRecord): HTMLElement[] => [
  element('button.copy', { type: 'button', onclick: () => edit(record) }, 'Edit'),
  element('button.copy', { type: 'button', onclick: () => remove(record) }, 'Delete'),
]
