/** Load generator in its own process: repeats requests to one server over raw sockets, one request at a time on each. */
import { connect } from 'node:net'

export interface Load {
  readonly port: number
  /** Complete requests, head and body, sent one after the other and repeated from the first. */
  readonly requests: readonly string[]
  readonly connections: number
  /** Duration in milliseconds. It ends earlier when each request was sent `rounds` times. */
  readonly ms: number
  readonly rounds?: number
  /** Whether to collect the ids in the answers. */
  readonly collect?: boolean
}

export interface LoadResult {
  readonly answers: number
  readonly ms: number
  /** Answers with a status of 300 or above, and connections that broke. */
  readonly errors: number
  readonly ids: readonly string[]
  /** Milliseconds until an answer: the median and the 99th percentile. */
  readonly p50: number
  readonly p99: number
}

process.on('message', async (load: Load) => process.send?.(await run(load)))
process.on('disconnect', () => process.exit())

function run(load: Load): Promise<LoadResult> {
  const { port, requests, connections, ms, rounds = Number.POSITIVE_INFINITY, collect } = load
  const bytes = requests.map(request => Buffer.from(request))
  const max = requests.length * rounds
  const ids: string[] = []
  const took: number[] = []
  let sent = 0
  let answers = 0
  let errors = 0
  let open = connections
  const began = performance.now()
  let ended = began

  return new Promise(resolve => {
    stayAwake(() => open > 0)
    const endConnection = () => {
      if (--open > 0) return
      took.sort((a, b) => a - b)
      const at = (share: number) => took[Math.floor(took.length * share)] ?? 0
      resolve({ answers, ms: ended - began, errors, ids, p50: at(0.5), p99: at(0.99) })
    }
    for (let i = 0; i < connections; i++) {
      const socket = connect(port, '127.0.0.1')
      let askedAt = 0
      const ask = () => {
        askedAt = performance.now()
        if (askedAt - began >= ms || sent >= max) return void socket.end()
        socket.write(bytes[sent++ % bytes.length]!)
      }
      const receive = readAnswers((status, body) => {
        ended = performance.now()
        answers++
        took.push(ended - askedAt)
        if (status >= 300) errors++
        if (collect) ids.push(/"id":"([^"]+)"/.exec(body)?.[1] ?? '')
        ask()
      })
      socket.setNoDelay()
      socket.on('connect', ask)
      socket.on('data', receive)
      socket.on('error', () => errors++)
      socket.on('close', endConnection)
    }
  })
}

/** Keeps this process busy: a server loses time when it wakes an idle receiver, and a slow server would do so more often. */
function stayAwake(isNeeded: () => boolean) {
  setImmediate(() => isNeeded() && stayAwake(isNeeded))
}

/** Parses as much of HTTP as is needed to find the end of an answer. */
function readAnswers(onAnswer: (status: number, body: string) => void) {
  let chunks: Buffer[] = []
  let received = 0
  let end = 0
  let headLength = 0
  return (chunk: Buffer) => {
    chunks.push(chunk)
    received += chunk.length
    if (end === 0) {
      const head = Buffer.concat(chunks).toString('latin1')
      headLength = head.indexOf('\r\n\r\n') + 4
      if (headLength < 4) return
      const length = /\r\ncontent-length: *(\d+)/i.exec(head.slice(0, headLength))?.[1]
      end = length === undefined ? Number.POSITIVE_INFINITY : headLength + Number(length)
      if (/^HTTP\/1\.1 (204|304)/.test(head)) end = headLength
    }
    const isChunked = end === Number.POSITIVE_INFINITY
    if (isChunked ? !chunk.toString('latin1').endsWith('0\r\n\r\n') : received < end) return
    const text = chunks.length === 1 ? chunk.toString('latin1') : Buffer.concat(chunks).toString('latin1')
    chunks = []
    received = 0
    end = 0
    onAnswer(Number(text.slice(9, 12)), text.slice(headLength))
  }
}
