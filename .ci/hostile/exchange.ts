import { connect } from 'node:net'
import type { Answer } from '../../mock-server/words/call.ts'

/** Bytes for a listener, and how to send them. */
export interface Delivery {
  /** Chunks, each written separately. */
  readonly pieces: readonly Buffer[]
  /** `end` closes the side of the client and reads on; `break` destroys the connection at once. */
  readonly ending: 'end' | 'break'
  /** Whether it is one complete request of valid syntax, which must be answered. */
  readonly mustBeAnswered: boolean
}

/** The caller closes its side of the connection when it has received nothing for this time. */
const idleMs = 25
/** The mock has to close the connection within this time after the beginning of the exchange. */
const closeTimeoutMs = 10_000

/** Sends bytes to a port. Resolves with the received bytes when the server has closed the connection. */
export function exchange(port: number, { pieces, ending }: Delivery): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const received: Buffer[] = []
    const socket = connect({ port, host: '127.0.0.1', allowHalfOpen: true })
    const closeTimer = setTimeout(() => {
      socket.destroy()
      reject(new Error(`the connection is still open after ${closeTimeoutMs} ms`))
    }, closeTimeoutMs)
    let idleTimer: NodeJS.Timeout | undefined
    const closeWhenIdle = () => {
      clearTimeout(idleTimer)
      idleTimer = setTimeout(() => socket.end(), idleMs)
    }
    const send = (at: number) => {
      if (socket.destroyed) return
      if (at === pieces.length) return ending === 'break' ? socket.destroy() : closeWhenIdle()
      socket.write(pieces[at]!, () => setImmediate(send, at + 1))
    }
    socket.on('connect', () => send(0))
    socket.on('data', chunk => {
      received.push(chunk)
      if (idleTimer) closeWhenIdle()
    })
    // A listener may close the connection while bytes are still being sent.
    socket.on('error', () => {})
    socket.on('end', () => socket.end())
    socket.on('close', () => {
      clearTimeout(closeTimer)
      clearTimeout(idleTimer)
      resolve(Buffer.concat(received))
    })
  })
}

/** Parses the answers in the received bytes. Throws an Error for anything that is no complete answer. */
export function readAnswers(received: Buffer): Answer[] {
  const answers: Answer[] = []
  let rest = received
  while (rest.length > 0) {
    const end = rest.indexOf('\r\n\r\n')
    const [line = '', ...lines] = rest.subarray(0, end).toString('latin1').split('\r\n')
    const status = Number(/^HTTP\/1\.1 (\d{3}) /.exec(line)?.[1])
    if (end < 0 || !status) throw new Error(`this is no answer: ${rest.subarray(0, 300)}`)
    const headers = Object.fromEntries(
      lines.map(one => [one.slice(0, one.indexOf(':')).toLowerCase(), one.slice(one.indexOf(':') + 2)]),
    )
    rest = rest.subarray(end + 4)
    if (status < 200) continue
    const { body, length } = readBody(rest, status, headers)
    rest = rest.subarray(length)
    answers.push({ status, headers, body })
  }
  return answers
}

function readBody(rest: Buffer, status: number, headers: Record<string, string>): { body: string; length: number } {
  if (status === 204 || status === 304) return { body: '', length: 0 }
  if (headers['transfer-encoding'] === 'chunked') {
    const end = rest.indexOf('0\r\n\r\n')
    return { body: '', length: end < 0 ? 0 : end + 5 }
  }
  const length = Number(headers['content-length'] ?? 0)
  // The answer to HEAD names a length and has no body.
  if (rest.length === 0 || rest.subarray(0, 9).toString() === 'HTTP/1.1 ') return { body: '', length: 0 }
  if (rest.length < length) throw new Error(`the answer breaks off after ${rest.length} of ${length} bytes`)
  return { body: rest.subarray(0, length).toString(), length }
}
