import { z } from 'zod/v3'

const named = { id: z.string().min(1).max(256), title: z.string().min(1).max(256) }

/** The groups that tiles of a dashboard are arranged in, with their tabs. */
export const containerList = z
  .array(
    z.object({
      ...named,
      collapsed: z.boolean(),
      collapsible: z.boolean().optional(),
      bordered: z.boolean().optional(),
      tabs: z.array(z.object(named)).max(20).optional(),
    }),
  )
  .max(50)

export type ContainerBody = z.infer<typeof containerList>[number]

export function checkContainers(containers: readonly ContainerBody[], context: z.RefinementCtx) {
  const seen = new Set<string>()
  for (const [at, { id, tabs = [] }] of containers.entries()) {
    const complain = (message: string, ...path: (string | number)[]) =>
      context.addIssue({ code: 'custom', message, path: ['containers', at, ...path] })
    if (seen.has(id)) complain(`Container IDs must be unique: "${id}"`, 'id')
    seen.add(id)
    const seenTabs = new Set<string>()
    for (const [tabAt, tab] of tabs.entries()) {
      if (seenTabs.has(tab.id)) complain(`Duplicate tab id "${tab.id}" in container "${id}"`, 'tabs', tabAt, 'id')
      seenTabs.add(tab.id)
    }
  }
}
