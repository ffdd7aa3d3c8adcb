/** How large a world is: services and members are counted per organization, backups per service, log rows per stack. */
export interface Size {
  readonly organizations: number
  readonly services: number
  readonly members: number
  readonly backups: number
  readonly logs: number
}

const defaults: Size = { organizations: 2, services: 3, members: 10, backups: 6, logs: 5000 }
const most: Size = { organizations: 1e6, services: 1e6, members: 1e6, backups: 1e6, logs: 1e6 }

/** The size of a world, or a sentence about what is wrong with it. */
export function readSize(task: string, options: Partial<Size>): Size {
  const size = Object.entries(defaults).map(([name, usual]) => {
    const wanted = options[name as keyof Size] ?? usual
    const limit = most[name as keyof Size]
    if (!Number.isSafeInteger(wanted) || wanted < (name === 'logs' ? 0 : 1) || wanted > limit) {
      throw new Error(`${task}: ${name}: Expected a whole number up to ${limit}, received ${wanted}`)
    }
    return [name, wanted]
  })
  return Object.fromEntries(size) as unknown as Size
}
