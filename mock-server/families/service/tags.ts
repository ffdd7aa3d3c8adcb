import type { Service } from './model.ts'

/** Whether something has the tag that a filter names, and perhaps its value: `tag:Team`, `tag:Team=Data`. */
export function hasTag({ tags = [] }: Pick<Service, 'tags'>, filter: string): boolean {
  const [key, ...value] = filter.replace(/^tag:/, '').split('=')
  return tags.some(tag => tag.key === key && (value.length === 0 || tag.value === value.join('=')))
}
