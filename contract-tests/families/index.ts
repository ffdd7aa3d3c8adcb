/** The index of the families: a line for each, which exports what `Family` has. */
export * as activity from './activity.ts'
export * as backupConfiguration from './backup-configuration.ts'
export * as key from './key.ts'
export * as organization from './organization.ts'
export * as savedSearch from './saved-search.ts'
export * as search from './search.ts'
export * as service from './service.ts'
export * as team from './team.ts'
