import type { IncomingMessage, Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { loopbackHost } from '../../fixtures/targets/loopback.ts'
import {
  type Bases,
  createMock,
  type Mock,
  type MockOptions,
  type MockWorld,
  mockOptions,
  optionParts,
  type TargetFile,
} from '../mock/mock.ts'
import type { Call, Listener } from '../words/call.ts'
import {
  check,
  checkedLater,
  checkOptions,
  isNonEmptyText,
  type OptionsOf,
  trueOrFalse,
  wholeNumber,
} from '../words/check-options.ts'
import { createControlApp } from './control/control.ts'
import type { Verify } from './control/page/suite-runner.ts'
import { createToken } from './control/page/token.ts'
import type { Phase } from './control/probes.ts'
import { withDocument } from './create-mock-in-node.ts'
import { type DrainServer, trackConnections } from './drain.ts'
import { createListeningApp } from './koa.ts'
import { joinRefusals, listenOn, PortRefused, refuseEqualPorts } from './listen-on.ts'
import { createListener, writeListenerRefusal } from './listener.ts'
import { expectedHost, readHost } from './read-host.ts'
import { openSuiteWorld } from './suite-world.ts'
import { createDeliverer } from './webhooks/deliver-webhook.ts'
import { evaluateInRealTime } from './webhooks/evaluate-in-real-time.ts'

const port = wholeNumber(0, 65_535)
const [isPort, expectedPort] = port
const text = check<string>(isNonEmptyText, 'a text that is not empty')
const isHost = (value: unknown) => typeof value === 'string' && readHost(value) !== undefined

/** The options of a mock that listens on ports, and how they are checked. */
export const listeningOptions = {
  /** The address to listen on. Default: 127.0.0.1. */
  host: text,
  /** The port; 0, the default, is any free one. */
  cloudPort: port,
  /** The port; 0, the default, is any free one. */
  selfHostedPort: port,
  /** The port; 0, the default, is any free one, false is no control plane. */
  consolePort: check<number | false>(value => value === false || isPort(value), `${expectedPort}, or false`),
  /** The port of the HTTP interface of services, if the mock has an engine for their SQL; 0, the default, is any free one. */
  sqlPort: port,
  /** The host of a service, in which `*` stands for the part of the service. Default: `*.localhost`. */
  sqlHost: text,
  /** The file to which the certificate authority for SQL over TLS is written, for clients to trust. */
  sqlCa: text,
  /** The folder in which certificates for SQL over TLS are kept for the next start. */
  sqlFolder: text,
  /** Whether the cloud API is served over TLS as well. */
  tls: trueOrFalse,
  /** Its port; 0, the default, is any free one. */
  tlsPort: port,
  /** The file to which the certificate authority for `tls` is written, for clients to trust. */
  tlsCa: text,
  /** Hosts, besides loopback, to which webhooks may be delivered. */
  webhookHosts: check<readonly string[]>(
    value => Array.isArray(value) && value.every(isHost),
    `a list of hosts, each ${expectedHost}`,
  ),
  /** Whether alerts are evaluated as time passes. They always are when the control plane advances the clock. */
  evaluateAlerts: trueOrFalse,
  /** The token that the control plane requires. Default: none on loopback, a generated one elsewhere. */
  consoleToken: text,
  /** How long pending calls may take when the mock is closed, in milliseconds. Default 400. */
  drainMs: wholeNumber(0),
  console: checkedLater<ConsoleExtras>(),
  /** Why the worlds are not saved, for `/ready`; undefined if they are, or need not be. */
  saveProblem: checkedLater<() => string | undefined>(),
}

export interface Listening extends OptionsOf<typeof listeningOptions> {}

interface ConsoleExtras {
  readonly version?: string
  /** The options of the mock, in words, for the page. */
  readonly startedWith?: Readonly<Record<string, string>>
  /** Runs the suite. It is passed in, because the mock does not import the suite. */
  readonly verify?: Verify
}

export { PortRefused }

/** A mock that listens on ports: `stub`, `advance`, `records` and the other members of a mock, and those of its ports. */
export interface RunningMock extends Mock {
  /** The mock alone, for functions that take one. */
  readonly mock: Mock
  /** The current addresses, credentials and ids of this mock at its ports: both APIs, and the control plane. */
  target(): TargetFile & Required<Pick<TargetFile, 'cloud' | 'selfHosted'>>
  /** The same at other addresses. */
  target(bases: Bases): TargetFile
  /** The token that the control plane requires, if any. */
  readonly consoleToken?: string
  /** The address of the cloud API over TLS, if it is served so. */
  readonly tlsUrl?: string
  /** Answers pending calls and closes all connections and ports; meanwhile `/ready` of the console port answers 503. */
  close(): Promise<void>
}

/** Starts a mock. Rejects with an Error about an invalid option or a port that cannot be listened on. */
export async function startMock(options: MockOptions & Listening = {}): Promise<RunningMock> {
  checkOptions('start a mock', { ...mockOptions, ...listeningOptions }, options, optionParts)
  const ownOptions = Object.entries(options).filter(([name]) => !Object.hasOwn(listeningOptions, name))
  const webhookHosts = options.webhookHosts?.map(host => readHost(host)!)
  return serve(createMock(withDocument(Object.fromEntries(ownOptions))), { ...options, webhookHosts })
}

/** Opens the ports of a mock, and resolves when all of them answer. */
export async function serve(mock: Mock, listening: Listening): Promise<RunningMock> {
  const {
    host = '127.0.0.1',
    cloudPort = 0,
    selfHostedPort = 0,
    consolePort = 0,
    sqlPort = 0,
    tlsPort = 0,
    drainMs = 400,
  } = listening
  refuseEqualPorts({
    '--cloud-port': cloudPort,
    '--self-hosted-port': selfHostedPort,
    '--console-port': consolePort,
    ...(mock.sql.engine && { '--sql-port': sqlPort }),
    ...(listening.tls && { '--tls-port': tlsPort }),
  })
  // The addresses are known only once the ports are bound.
  const bases: { cloud?: string; selfHosted?: string; control?: string; sql?: Bases['sql'] } = {}
  const targetOf = (world: MockWorld = mock) => world.target(bases)
  const token = listening.consoleToken ?? (loopbackHost.test(host) ? undefined : createToken())
  const deliverer = createDeliverer({ hosts: listening.webhookHosts })

  const { cors, limits } = mock
  const { verify } = listening.console ?? {}
  const createApiServer = (api: Listener) =>
    createListener(
      createListeningApp(mock, api).callback(),
      (status, sentence, request) => cors.open(request && callOf(request), writeListenerRefusal(api, status, sentence)),
      limits,
    )
  const createControlServer = () =>
    createListener(
      createControlApp(mock, {
        ...listening.console,
        verify: verify && ((world, onProgress) => verifyLike(world, mock, target => verify(target, onProgress))),
        target: targetOf,
        hostname: host,
        phase: () => phase,
        saveProblem: listening.saveProblem,
        deliver: deliverer.deliver,
        token,
      }).callback(),
      (status, sentence) => writeListenerRefusal('control', status, sentence),
      limits,
    )
  let phase: Phase = 'starting'
  const servers: { readonly base: keyof typeof bases; readonly drain: DrainServer }[] = []
  const listenToSql = async () => {
    // Loaded only where there is an engine.
    const { openSqlListener } = await import('./sql/listener.ts')
    const { server, drain, hosts, ca } = await openSqlListener(mock, listening)
    servers.push({ base: 'sql', drain })
    await listenOn(server, sqlPort, host, '--sql-port')
    bases.sql = { hosts, port: (server.address() as AddressInfo).port, ca }
  }
  let tlsUrl: string | undefined
  const listenToTls = async () => {
    const { createTlsServer } = await import('./tls.ts')
    const options = { ca: listening.tlsCa, folder: listening.sqlFolder, host }
    const { server, drain } = await createTlsServer(createApiServer('cloud'), options)
    servers.push({ base: 'cloud', drain })
    await listenOn(server, tlsPort, host, '--tls-port')
    tlsUrl = `https://${urlHost(host)}:${(server.address() as AddressInfo).port}`
  }
  const listen = async (base: 'cloud' | 'selfHosted' | 'control', server: Server, port: number, option: string) => {
    servers.push({ base, drain: trackConnections(server) })
    await listenOn(server, port, host, option)
    bases[base] = `http://${urlHost(host)}:${(server.address() as AddressInfo).port}`
  }
  let stopAlerts = () => {}
  const close = async () => {
    phase = 'draining'
    stopAlerts()
    const until = performance.now() + drainMs
    const drain = (isOfControl: boolean) => {
      // The console port, which closes last, has some time, too.
      const ms = Math.max(50, until - performance.now())
      return Promise.all(servers.filter(({ base }) => (base === 'control') === isOfControl).map(one => one.drain(ms)))
    }
    await drain(false)
    deliverer.close()
    // The console port closes last, so that `/ready` can answer 503 until then.
    await drain(true)
  }

  const bound = await Promise.allSettled([
    listen('cloud', createApiServer('cloud'), cloudPort, '--cloud-port'),
    listen('selfHosted', createApiServer('selfHosted'), selfHostedPort, '--self-hosted-port'),
    ...(mock.sql.engine ? [listenToSql()] : []),
    ...(listening.tls ? [listenToTls()] : []),
    ...(consolePort === false ? [] : [listen('control', createControlServer(), consolePort, '--console-port')]),
  ])
  const refused = bound.filter(outcome => outcome.status === 'rejected')
  if (refused.length > 0) {
    await close()
    throw joinRefusals(refused.map(({ reason }) => reason))
  }
  phase = 'ready'
  if (listening.evaluateAlerts) stopAlerts = evaluateInRealTime(mock, deliverer)
  mock.setBases(bases)
  // Without `bases`, both APIs are always present, which the type of `mock.target` cannot express.
  const target = mock.target as RunningMock['target']
  return { ...mock, mock, target, consoleToken: token, tlsUrl, close }
}

/** Runs the suite against a new world like the given one, on ports of its own. */
async function verifyLike(world: MockWorld, mock: Mock, verify: (target: TargetFile) => ReturnType<Verify>) {
  const suite = openSuiteWorld(mock, world)
  try {
    const running = await serve(suite.mock, {})
    return await verify(running.target()).finally(running.close)
  } finally {
    suite.close()
  }
}

const callOf = ({ method = '', headers }: IncomingMessage) => ({ method, headers: headers as Call['headers'] })

/** The host of a URL: loopback for a listener on every address, in brackets for IPv6. */
function urlHost(host: string): string {
  if (host === '0.0.0.0' || host === '::') return '127.0.0.1'
  return host.includes(':') ? `[${host}]` : host
}
