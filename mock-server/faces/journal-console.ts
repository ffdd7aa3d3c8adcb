import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import Router, { type RouterContext } from '@koa/router'
import { createJournal } from '../core/journal/journal.ts'
import { core } from '../mock/made-of.ts'
import type { Mock, MockOptions, TargetFile } from '../mock/mock.ts'
import type { Listener } from '../words/call.ts'
import { answer, ControlRefusal, refuseErrors } from './control/answer.ts'
import { addCalls } from './control/calls.ts'
import { createGuardedApp } from './control/control-app.ts'
import type { ProxyAbout } from './control/page/answers.ts'
import { addPage } from './control/page/routes.ts'
import { renderShell } from './control/page/shell.ts'
import { readObject } from './control/read-request.ts'
import { listenOn, PortRefused } from './listen-on.ts'

export { PortRefused }

interface JournalConsoleOptions {
  /** 0 is any free port. */
  readonly port: number
  readonly version: string
  /** The target of the calls, for the recording and the page. Its credentials are not shown. */
  readonly target: PlainTarget
  /** The baseline of the mock to which calls of the journal can be sent for comparison. */
  readonly as?: MockOptions['as'] | undefined
}

interface PlainTarget {
  readonly name?: string | undefined
  readonly cloud?: { readonly baseUrl: string } | undefined
  readonly selfHosted?: { readonly baseUrl: string } | undefined
}

const capacity = 10_000

/**
 * Serves the console for a journal without a mock, on loopback: the proxy records calls that it did not answer itself.
 * @throws PortRefused if the port cannot be listened on.
 */
export async function startJournalConsole({ port, version, target, as }: JournalConsoleOptions) {
  const journal = createJournal(capacity)
  const callJournal = { calls: journal.read, forgetCalls: journal.forget }
  const router = new Router()
  const answerFor = (read: (journal: typeof callJournal, ctx: RouterContext) => unknown) =>
    answer(ctx => read(callJournal, ctx))
  const shownTarget = withoutCredentials(target)
  addPage(router, () => renderShell(shownTarget))
  addCalls(router, answerFor, { contract: core.contract, targetFor: () => shownTarget, version })
  router.get(
    '/control/target',
    answer(() => shownTarget),
  )
  let passes: ProxyAbout['passes'] = []
  router.get(
    '/control/about',
    answer((): ProxyAbout => ({ program: 'proxy', version, views: ['calls'], name: target.name, passes })),
  )

  let mock: Mock | undefined
  router.post(
    '/control/mock',
    answer(async ({ req }) => {
      const { number } = await readObject(req, ['number'])
      const [newest] = journal.read(1)
      const call = journal.read((newest?.number ?? 0) - Number(number) + 1, { isWhole: true }).at(-1)
      if (!call || call.number !== number) throw new ControlRefusal(404, 'The journal has no call of this number.')
      // Loaded on demand: creating a mock takes most of a second.
      const [{ repeatOnMock }, { createMock }] = await Promise.all([
        import('./repeat-on-mock.ts'),
        import('./create-mock.ts'),
      ])
      mock ??= refuseErrors(() => createMock({ logs: 5000, ...(as && { as }) }))
      return repeatOnMock(mock, call)
    }),
  )

  const hostname = '127.0.0.1'
  const server = createServer(createGuardedApp(router, { hostname }).callback())
  await listenOn(server, port, hostname, '--console-port')
  return {
    address: `http://${hostname}:${(server.address() as AddressInfo).port}`,
    record: journal.record,
    announce(addresses: Readonly<Partial<Record<Listener, string>>>) {
      passes = (['cloud', 'selfHosted'] as const).flatMap(form => {
        const [from, to] = [addresses[form], target[form]?.baseUrl]
        return from && to ? [{ form, from, to }] : []
      })
    },
    close: () =>
      new Promise<void>(resolve => {
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
