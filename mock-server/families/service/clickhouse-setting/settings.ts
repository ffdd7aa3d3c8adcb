interface KnownSetting {
  readonly name: string
  readonly type: 'string' | 'number'
  readonly description: string
  readonly enum?: readonly number[]
  readonly warning?: string
  readonly example: string
}

const restarts = 'The servers are restarted one after the other when it changes.'

export const knownSettings: readonly KnownSetting[] = [
  {
    name: 'compatibility',
    type: 'string',
    description: 'Version whose defaults all other settings have.',
    warning: 'Queries may fail or answer differently: test them with the other version first.',
    example: '24.8',
  },
  { name: 'max_threads', type: 'number', description: 'Most threads of a query.', example: '8' },
  {
    name: 'max_concurrent_queries_for_user',
    type: 'number',
    description: 'Most queries of one user that run at the same time.',
    example: '100',
  },
  {
    name: 'max_memory_usage_for_user',
    type: 'number',
    description: 'Most bytes of memory for all queries of one user.',
    example: '10000000000',
  },
  { name: 'max_query_size', type: 'number', description: 'Most bytes of a query that are parsed.', example: '262144' },
  {
    name: 'min_insert_block_size_rows',
    type: 'number',
    description: 'Least rows of a block that an insertion writes.',
    example: '1048449',
  },
  {
    name: 'keep_alive_timeout',
    type: 'number',
    description: 'Seconds for which an idle HTTP connection stays open.',
    warning: restarts,
    example: '30',
  },
  {
    name: 'shared_merge_tree_disable_merges_and_mutations_assignment',
    type: 'number',
    description: 'Whether this service leaves merges and mutations to the others of its warehouse.',
    enum: [0, 1],
    warning: restarts,
    example: '0',
  },
]
