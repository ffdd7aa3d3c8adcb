import type { Check } from '../engine/check.ts'
import type { Exchange } from '../engine/exchange.ts'
import { listIn } from '../engine/pages.ts'
import type { RunContext } from '../engine/step.ts'
import { lifeOf, nameOf } from '../visits/life.ts'
import { lastDay } from '../visits/samples.ts'
import { type CreatedObject, visit } from '../visits/visit.ts'
import { neverShows, newestFirst, observeCommands } from './calls.ts'

/** The query for the first slow pattern in the list. */
function patternIn(listed: Exchange | undefined) {
  const [first] = listIn(listed, 'slowQueryPattern') ?? []
  const names = ['dbName', 'dbUser', 'dbOperation'] as const
  const values = names.map(name => first?.[name])
  return values.every(value => typeof value === 'string')
    ? { db_name: values[0]!, db_user: values[1]!, db_operation: values[2]! }
    : undefined
}

export const { steps, lines } = visit('cloud', 'Postgres', run => {
  const servers = lifeOf(run, 'postgres', {
    body: (_, name) => ({
      name: name.slice(0, 50),
      provider: 'aws',
      region: 'us-east-1',
      size: 'c6gd.large',
      tags: [],
    }),
    change: () => ({ tags: [{ key: 'changed', value: 'yes' }] }),
    ready: ['running'],
    whole: {
      values: { 'ipAccessList.source': '192.0.2.0/24', 'ipAccessList.add.source': '192.0.2.0/24', portRange: '5432' },
      sentAlong: ['tags'],
      omit: {
        size: 'a larger server costs more',
        haType: 'a standby costs more',
        remove: 'there is nothing to remove',
      },
    },
  })
  const server = servers.begin()
  servers.read()

  // These are read from the first server in the list, which is older than the run and has data.
  run.call('postgresMetrics.get', { query: lastDay })
  const patterns = run.call('slowQueryPattern.list', { query: lastDay })
  run.call('slowQueryPattern.get', { from: [patterns], query: context => patternIn(context.exchange(patterns)) })
  run.call('postgresLog.list', { query: lastDay })

  servers.update()
  const settings = (connections: string) => ({ pgConfig: { max_connections: connections }, pgBouncerConfig: {} })
  const within = { within: server } as const
  const changed = run.call('postgresConfig.update', { ...within, body: settings('150') })
  run.call('postgresConfig.get', { ...within, name: 'postgresConfig.get-after-update', from: [changed] })
  const replaced = run.call('postgresConfig.replace', { ...within, body: settings('200') })
  run.call('postgresConfig.get', { ...within, name: 'postgresConfig.get-after-replace', from: [replaced] })
  servers.act('postgres.password', 'password', { body: {}, why: 'requests a new password' })
  const restart = servers.act('postgres.state', 'state', { body: { command: 'restart' }, why: 'restarts the server' })!
  const again = servers.act('postgres.state', 'restart-again', {
    body: { command: 'restart' },
    why: 'restarts the server while it restarts',
    from: [restart],
    notJudgedByOperation: true,
  })!
  servers.waitForState('restarted', ['running'], 600, restart)
  const promote = servers.act('postgres.state', 'promote', {
    body: { command: 'promote' },
    why: 'promotes a server that is no replica',
    notJudgedByOperation: true,
  })!

  // Copies need a server with backups, which the run's own does not have yet.
  const copy = (verb: 'replicate' | 'restore', change: (context: RunContext) => object): CreatedObject => ({
    resource: 'postgres',
    line: run.call(`postgres.${verb}`, {
      creates: 'postgres',
      mockOnly: "the server is not the run's own",
      body: context => ({ name: nameOf(context, 'postgres', verb).slice(0, 50), ...change(context) }),
    }),
  })
  const replica = copy('replicate', () => ({}))
  copy('restore', ({ now }) => ({ restoreTarget: new Date(now - 3_600_000).toISOString() }))
  servers.get('get-replica', replica, 'gets the replica')
  servers.whole()
  run.awaitUsersOf(server)
  servers.end()
  return { idleCommands: [promote, again] }
})

export const checks = {
  'postgres/password-is-shown-once': neverShows('postgres.list'),
  'postgres/idle-commands': observeCommands(lines.idleCommands),
  'postgresBackup/newest-comes-first': newestFirst('postgresBackup.list', 'lastModified'),
} as const satisfies Record<string, Check>
