import type { Key } from './model.ts'

/** An admin may do everything, a developer may read, and a key for query endpoints has nothing to do here. */
export const isAllowed = ({ roles }: Key, permission: string): boolean =>
  roles.includes('admin') || (roles.includes('developer') && /:view(-|$)/.test(permission))
