import { once } from 'node:events'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { type TargetFile, UsageError } from '../../engine/target/target.ts'
import { createForwarder, type ForwardOptions } from './forward.ts'
import type { Judgement } from './judge-proxied.ts'
import type { ProxiedCall, ProxiedForm } from './proxied-call.ts'

export interface ProxyOptions {
  readonly target: TargetFile
  /** Ports on loopback; 0, the default, takes any free one. */
  readonly ports?: Readonly<Partial<Record<ProxiedForm, number>>>
  readonly judge: ForwardOptions['judge']
  /** Keeps a call that `judge` did not keep. */
  readonly record: (call: ProxiedCall) => unknown
  readonly onJudged?: (call: ProxiedCall, judgement: Judgement | undefined) => void
  readonly hold?: ForwardOptions['hold']
}

export interface RunningProxy {
  /** The address of each listener. */
  readonly addresses: Readonly<Partial<Record<ProxiedForm, string>>>
  /** Stops listening, closes all connections, and waits until every call that passed is judged. */
  close(): Promise<void>
}

const portOptions = { cloud: '--cloud-port', selfHosted: '--self-hosted-port' } as const

/**
 * Listens on loopback for each form of a target and passes calls on to it.
 * @throws UsageError that names a port on which the proxy cannot listen, and its option.
 */
export async function startProxy(options: ProxyOptions): Promise<RunningProxy> {
  const { target, judge, record, onJudged, hold } = options
  const judging = new Set<Promise<void>>()
  const open: { readonly server: Server; readonly close: () => void }[] = []
  const addresses: Partial<Record<ProxiedForm, string>> = {}

  const listen = async (form: ProxiedForm, baseUrl: string) => {
    const forward = createForwarder({
      form,
      baseUrl,
      tls: target.tls,
      headers: target.headers,
      allowsWrites: target.writes === true,
      judge,
      hold,
      onProxied(call, judgedBefore) {
        const isDeclined = call.instead?.as === 'declined'
        if (judgedBefore || isDeclined) void record(call)
        const judged = judgedBefore ?? (isDeclined ? Promise.resolve(undefined) : judge(call))
        const done = judged.then(judgement => onJudged?.(call, judgement)).finally(() => judging.delete(done))
        judging.add(done)
      },
    })
    const server = createServer({ keepAliveTimeout: 60_000 }, forward)
    open.push({ server, close: forward.close })
    await listenOn(server, options.ports?.[form] ?? 0, portOptions[form])
    addresses[form] = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  }
  const close = async () => {
    for (const { server, close } of open) {
      server.close()
      server.closeAllConnections()
      close()
    }
    await Promise.all(judging)
  }

  try {
    if (target.cloud) await listen('cloud', target.cloud.baseUrl)
    if (target.selfHosted) await listen('selfHosted', target.selfHosted.baseUrl)
  } catch (error) {
    await close()
    throw error
  }
  return { addresses, close }
}

async function listenOn(server: Server, port: number, option: string): Promise<void> {
  server.listen(port, '127.0.0.1')
  await once(server, 'listening').catch(({ code, message }) => {
    const why = code === 'EADDRINUSE' ? 'it is in use' : (code ?? message)
    const advice = `Choose another with ${option}; 0 takes any free one.`
    throw new UsageError(`port ${port} cannot be listened on: ${why}. ${advice}`)
  })
}
