import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import Router, { type RouterContext } from '@koa/router'
import { type AnsweredCall, createJournal, type JournalEntry } from '../core/journal/journal.ts'
import type { CallFilter, TargetFile } from '../core/mock.ts'
import { answer } from './control/answer.ts'
import { addCalls } from './control/calls.ts'
import { createGuardedApp } from './control/control-app.ts'
import { addPage } from './control/page/routes.ts'
import { renderShell } from './control/page/shell.ts'
import { listenOn, PortRefused } from './listen-on.ts'

export { PortRefused }

/** The console over a journal, for a program that records calls that it did not answer itself, such as the proxy. */
export interface JournalConsole {
  /** The address of the page. */
  readonly address: string
  record(call: AnsweredCall): void
  close(): Promise<void>
}

export interface JournalConsoleOptions {
  /** 0 is any free port. */
  readonly port: number
  readonly version: string
  /** The target of the calls, for the recording and the page. Its credentials are not shown. */
  readonly target: PlainTarget
}

interface PlainTarget {
  readonly name?: string | undefined
  readonly cloud?: { readonly baseUrl: string } | undefined
  readonly selfHosted?: { readonly baseUrl: string } | undefined
}

/** Limit of kept calls. */
const capacity = 10_000

/**
 * Serves the console over a journal alone, on loopback: the page shows its calls, and `/control/calls` and
 * `/control/calls.har` answer as those of a mock.
 * @throws PortRefused if the port cannot be listened on.
 */
export async function startJournalConsole({ port, version, target }: JournalConsoleOptions): Promise<JournalConsole> {
  const journal = createJournal(capacity)
  const keeper = {
    calls: (limit?: number, filter?: CallFilter & { readonly isWhole?: boolean }): readonly JournalEntry[] =>
      journal.read(limit, filter),
    forgetCalls: () => journal.forget(),
  }
  const router = new Router()
  const about = (read: (its: typeof keeper, ctx: RouterContext) => unknown) => answer(ctx => read(keeper, ctx))
  const shown = withoutCredentials(target)
  addPage(router, () => renderShell(shown))
  addCalls(router, about, { targetFor: () => shown, version })
  router.get(
    '/control/target',
    answer(() => shown),
  )
  router.get(
    '/control/about',
    answer(() => ({ program: 'proxy', version, views: ['calls'] })),
  )

  const hostname = '127.0.0.1'
  const server = createServer(createGuardedApp(router, { hostname }).callback())
  await listenOn(server, port, hostname, '--console-port')
  return {
    address: `http://${hostname}:${(server.address() as AddressInfo).port}`,
    record: journal.record,
    close: () =>
      new Promise(resolve => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}

const withoutCredentials = ({ name, cloud, selfHosted }: PlainTarget): TargetFile =>
  ({
    ...(name && { name }),
    ...(cloud && { cloud: { baseUrl: cloud.baseUrl } }),
    ...(selfHosted && { selfHosted: { baseUrl: selfHosted.baseUrl } }),
  }) as TargetFile
