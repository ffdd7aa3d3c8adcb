import { type IncomingMessage, type ServerResponse, STATUS_CODES, request as sendHttp } from 'node:http'
import { request as sendHttps } from 'node:https'
import type { Socket } from 'node:net'
import { loopbackHost } from '../../../fixtures/targets/loopback.ts'
import { createAgent, readCertificates } from '../../engine/clients/agents.ts'
import type { TargetFile } from '../../engine/target/target.ts'
import type { Judgement } from './judge-proxied.ts'
import {
  canDecode,
  createBodyKeeper,
  type Headers,
  type KeptBody,
  maxBodyBytes,
  type ProxiedCall,
  type ProxiedForm,
  type Substitute,
} from './proxied-call.ts'

export interface ForwardOptions extends Pick<TargetFile, 'tls' | 'headers'> {
  readonly form: ProxiedForm
  /** The target's address, to which every path is appended. */
  readonly baseUrl: string
  /** Whether other methods than GET and HEAD pass. */
  readonly allowsWrites: boolean
  /** `isKept` is false for a call that is not over yet. */
  readonly judge: (call: ProxiedCall, isKept?: boolean) => Promise<Judgement | undefined>
  /** Called with each call once its answer has been sent or has failed, and with its judgement where `hold` needed one. */
  readonly onProxied: (call: ProxiedCall, judged?: Promise<Judgement | undefined>) => void
  /**
   * Called before an answer to GET or HEAD of up to 1 MiB is sent; a returned text is sent with 502 instead. Without
   * `hold`, every answer is sent as it arrives.
   */
  readonly hold?: ((judgement: Judgement) => string | undefined) | undefined
}

/** Headers of one connection (RFC 9110 §7.6.1), which are not passed on, besides those that `Connection` names. */
const hopByHop = [
  'connection',
  'keep-alive',
  'proxy-authenticate',
  'proxy-authorization',
  'proxy-connection',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
]

/** Headers of a request that the proxy writes itself, from what its parser read. Some deployments read `_` as `-`. */
const ownHeaders = /^(?:host|expect|content[-_]length|transfer_encoding|accept-encoding)$/i

/** Headers by which some frameworks take a GET for a write; some of them read `_` as `-`. */
const methodOverrides = ['x-http-method-override', 'x-http-method', 'x-method-override']

/**
 * Makes a request listener that passes calls on to one target: the client's own credentials, bodies as streams, status and
 * headers as they are. It follows no redirect and reaches no other host, whatever the request names.
 */
export function createForwarder(options: ForwardOptions) {
  const { form, baseUrl, allowsWrites, judge, onProxied, hold } = options
  const base = new URL(baseUrl)
  const prefix = base.pathname.replace(/\/$/, '')
  const isSecure = base.protocol === 'https:'
  // Each call has a connection of its own: neither a body that the target takes for a request, nor a second answer that it
  // sends late, reaches another call.
  const agent = createAgent(baseUrl, { keepAlive: false })
  const certificates = readCertificates(options.tls)
  const gatewayHeaders = Object.entries(options.headers ?? {})
  const isOfGateway = (name: string) => gatewayHeaders.some(([one]) => one.toLowerCase() === name.toLowerCase())
  const send = isSecure ? sendHttps : sendHttp
  /** Connections that end with the answer that is due. */
  const ending = new WeakSet<Socket>()

  const forward = (incoming: IncomingMessage, outgoing: ServerResponse): void => {
    if (ending.has(incoming.socket)) return void incoming.resume()
    const began = performance.now()
    const startedAt = Date.now()
    const { method = 'GET', url: path = '' } = incoming
    const headers = [
      ...forwardableHeaders(incoming.rawHeaders).filter(([name]) => !ownHeaders.test(name)),
      ...acceptableEncodings(incoming),
    ]
    const sent = createBodyKeeper()
    const toCall = (status: number, answered: Headers, body: KeptBody, instead?: Substitute): ProxiedCall => ({
      form,
      startedAt,
      ms: performance.now() - began,
      request: { method, path, headers, body: sent.end() },
      response: { status, headers: answered, body },
      instead,
    })
    /** Answers in place of the target, which has not been asked. */
    const declineAs = (status: number, why: string) => {
      incoming.resume()
      answer(outgoing, status, why)
      onProxied(toCall(0, [], noBody, { as: 'declined', status, why }))
    }
    const declined = decline(incoming, allowsWrites)
    if (declined) {
      // What follows on this connection may be a body that was meant as a request.
      if (hasBody(incoming)) {
        outgoing.shouldKeepAlive = false
        ending.add(incoming.socket)
      }
      declineAs(declined.status, `the proxy declined the request: ${declined.why}.`)
      return
    }

    let hasFailed = false
    const fail = (error: Error) => {
      if (hasFailed) return
      hasFailed = true
      onward.destroy()
      const { code = error.message } = error as NodeJS.ErrnoException
      const why = `the proxy got no whole answer from ${base.origin}: ${code}.`
      const isLost = outgoing.headersSent || outgoing.destroyed
      if (isLost) outgoing.destroy()
      else answer(outgoing, 502, why)
      onProxied(toCall(0, [], noBody, { as: 'failed', status: isLost ? 0 : 502, why }))
    }
    let onward: ReturnType<typeof send>
    try {
      onward = send({
        protocol: base.protocol,
        hostname: base.hostname.replace(/^\[|\]$/g, ''),
        port: base.port,
        agent,
        method,
        path: prefix + path,
        headers: [
          ['Host', base.host],
          ...headers.filter(([name]) => !isOfGateway(name)),
          ...gatewayHeaders,
          ...framingHeaders(incoming),
        ].flat(),
        ...certificates,
      })
    } catch (error) {
      // A path or a header that Node does not send.
      declineAs(400, `the proxy could not send the request: ${(error as Error).message}.`)
      return
    }
    let isWhole = () => false
    onward.on('error', error => isWhole() || fail(error))
    // The header Upgrade is not passed on, so that another protocol is no answer to the request.
    onward.on('upgrade', (_, socket) => {
      socket.destroy()
      fail(new Error('it switched to another protocol'))
    })
    outgoing.on('close', () => {
      if (!outgoing.writableFinished || !incoming.complete) onward.destroy()
      // The rest of a body that was answered early; the next request comes after it.
      incoming.unpipe(onward).resume()
    })
    onward.on('response', response => {
      const { statusCode: status = 502 } = response
      if (status < 200) return fail(new Error(`its status is ${status}, which is no answer`))
      isWhole = () => response.complete
      // An answer that ends too early ends the client's connection, too.
      response.on('error', fail)
      receive(response, method, outgoing, toCall).catch(fail)
    })
    incoming.on('data', chunk => sent.add(chunk))
    incoming.pipe(onward)
  }

  async function receive(
    response: IncomingMessage,
    method: string,
    outgoing: ServerResponse,
    toCall: (status: number, headers: Headers, body: KeptBody, instead?: Substitute) => ProxiedCall,
  ): Promise<void> {
    const { statusCode: status = 502, statusMessage = '' } = response
    const isChunked = response.headers['transfer-encoding'] !== undefined
    const headers = forwardableHeaders(response.rawHeaders).filter(
      ([name]) => !(isChunked && /^content-length$/i.test(name)),
    )
    const kept = createBodyKeeper()
    response.on('data', chunk => kept.add(chunk))
    outgoing.sendDate = false
    // Node reads control characters in a reason, but refuses to write them.
    const reason = statusMessage.replace(/[^\t\x20-\x7e\x80-\xff]/g, '')
    const begin = () => outgoing.writeHead(status, reason, headers.flat())
    if (hold && (method === 'GET' || method === 'HEAD')) {
      const early = await readEarly(response)
      if (early.isWhole) {
        const call = toCall(status, headers, kept.end())
        const judged = judge(call, false)
        const judgement = await judged
        const why = judgement && hold(judgement)
        if (why === undefined) begin().end(early.bytes)
        else answer(outgoing, 502, why)
        return onProxied(why === undefined ? call : { ...call, instead: { as: 'held', status: 502, why } }, judged)
      }
      begin().write(early.bytes)
    } else begin()
    response.pipe(outgoing)
    response.on('end', () => onProxied(toCall(status, headers, kept.end())))
  }
  return Object.assign(forward, {
    /** Closes the connections to the target. */
    close: () => agent.destroy(),
  })
}

const noBody: KeptBody = { bytes: new Uint8Array(), size: 0 }

/** Why the proxy does not pass a request on, and the status that it answers instead. */
interface Declined {
  readonly status: number
  readonly why: string
}

/**
 * Keeps web pages out: browsers send the origin of a page of another site, and in `Host` the name of a page whose name was
 * made to resolve to this machine (DNS rebinding). Methods other than GET and HEAD pass only if the target file allows writes.
 */
function decline(incoming: IncomingMessage, allowsWrites: boolean): Declined | undefined {
  const { method = '', url = '', headers } = incoming
  const { host = '', origin } = headers
  const site = headers['sec-fetch-site']
  if (!loopbackHost.test(hostnameOf(host)))
    return { status: 403, why: `it is reached as ${host || 'an empty host'}: use 127.0.0.1 or localhost` }
  if (origin !== undefined || (site !== undefined && site !== 'none'))
    return {
      status: 403,
      why: `it answers no web page, and a page sent this request (${origin ?? `Sec-Fetch-Site: ${site}`})`,
    }
  if (!url.startsWith('/'))
    return { status: 400, why: 'it forwards to its target alone: send the path, not a whole address' }
  if (method !== 'GET' && method !== 'HEAD' && !allowsWrites)
    return {
      status: 403,
      why: `it passes GET and HEAD alone, not ${method}: put "writes": true into the target file to pass all`,
    }
  const override = Object.keys(headers).find(name => methodOverrides.includes(name.replaceAll('_', '-')))
  if (override !== undefined && !allowsWrites)
    return { status: 403, why: `it passes GET and HEAD alone, and ${override} may make a write of this ${method}` }
  if (!/^chunked$/i.test(headers['transfer-encoding'] ?? 'chunked'))
    return { status: 400, why: 'its Transfer-Encoding is not chunked alone' }
  if ((method === 'GET' || method === 'HEAD') && hasBody(incoming))
    return { status: 400, why: `a ${method} has no body, and this one announces one` }
  return undefined
}

const hasBody = ({ headers }: IncomingMessage) =>
  headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) !== 0

const hostnameOf = (host: string) => (URL.canParse(`http://${host}`) ? new URL(`http://${host}`).hostname : '')

/** Frames the body to the target like the client's, or as an empty body if the client sent none. */
function framingHeaders({ headers, method = '' }: IncomingMessage): Headers {
  if (headers['transfer-encoding'] !== undefined) return [['Transfer-Encoding', 'chunked']]
  const mayHaveBody = !['GET', 'HEAD', 'DELETE', 'OPTIONS'].includes(method)
  // Without leading zeros, which some read as an octal number.
  const length = headers['content-length']?.replace(/^0+(?=\d)/, '') ?? (mayHaveBody ? '0' : undefined)
  return length === undefined ? [] : [['Content-Length', length]]
}

/** The client's Accept-Encoding without the encodings that the judge does not read, such as zstd. */
function acceptableEncodings({ headers }: IncomingMessage): Headers {
  const accepted = headers['accept-encoding']
  if (accepted === undefined) return []
  const known = String(accepted)
    .split(',')
    .map(encoding => encoding.trim())
    .filter(encoding => canDecode(encoding.split(';')[0]!))
  return [['Accept-Encoding', known.join(', ') || 'identity']]
}

/** The headers of a message that belong to it, not to its connection. `Connection` cannot name those that frame it. */
function forwardableHeaders(raw: readonly string[]): Headers {
  const pairs = raw.flatMap((name, index) => (index % 2 === 0 ? [[name, raw[index + 1]!] as const] : []))
  const named = pairs.filter(([name]) => /^connection$/i.test(name)).flatMap(([, value]) => value.split(','))
  const dropped = new Set([...named.map(name => name.trim().toLowerCase()), ...hopByHop])
  dropped.delete('content-length')
  return pairs.filter(([name]) => !dropped.has(name.toLowerCase()))
}

/** Reads an answer to its end, or until it is larger than `maxBodyBytes`: the rest stays in the stream. */
const readEarly = (stream: IncomingMessage) =>
  new Promise<{ readonly bytes: Buffer; readonly isWhole: boolean }>((resolve, reject) => {
    const chunks: Buffer[] = []
    let size = 0
    const settle = (isWhole: boolean) => {
      stream.off('data', take).pause()
      resolve({ bytes: Buffer.concat(chunks), isWhole })
    }
    const take = (chunk: Buffer) => {
      chunks.push(chunk)
      size += chunk.length
      if (size > maxBodyBytes) settle(false)
    }
    stream
      .on('data', take)
      .on('end', () => settle(true))
      .on('error', reject)
  })

function answer(outgoing: ServerResponse, status: number, error: string): void {
  const body = JSON.stringify({ error: `stack-parity: ${error}` })
  outgoing
    .writeHead(status, STATUS_CODES[status], {
      'content-type': 'application/json',
      'content-length': Buffer.byteLength(body),
    })
    .end(body)
}
