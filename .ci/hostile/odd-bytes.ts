import { brotliCompressSync, constants, deflateSync, gzipSync } from 'node:zlib'
import fc from 'fast-check'
import type { Delivery } from './exchange.ts'
import type { OddRequest } from './odd-request.ts'

/** A request: its first line, the lines of its headers, and its body. */
interface Frame {
  readonly line: string
  readonly lines: readonly string[]
  readonly body: Buffer
}

type Oddity = (frame: Frame) => Frame

const long = (size: number) => 'x'.repeat(size)
/** Encodes what no request line may contain, and keeps percent signs. */
const encodeTarget = (text: string) => encodeURI(text.replace(/\p{Surrogate}/gu, '?')).replaceAll('%25', '%')

const toFrame = ({ method, path, query, headers, body }: OddRequest): Frame => {
  const bytes = Buffer.from(body)
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}`)
  const length = bytes.length > 0 ? [`Content-Length: ${bytes.length}`] : []
  const target = encodeTarget(query === '' ? path : `${path}?${query}`)
  return { line: `${method} ${target} HTTP/1.1`, lines: ['Host: 127.0.0.1', ...lines, ...length], body: bytes }
}

const changeRequestLine =
  (line: (line: string) => string): Oddity =>
  frame => ({ ...frame, line: line(frame.line) })
const addHeaders =
  (...more: string[]): Oddity =>
  frame => ({ ...frame, lines: [...frame.lines, ...more] })
const setHeader =
  (name: RegExp, ...more: string[]): Oddity =>
  frame => ({ ...frame, lines: [...frame.lines.filter(line => !name.test(line)), ...more] })
const length = /^content-length:/i
const host = /^host:/i

const chunked =
  (encode: (body: Buffer) => Buffer | string, ...lines: string[]): Oddity =>
  frame => {
    const { lines: kept } = setHeader(length, 'Transfer-Encoding: chunked', ...lines)(frame)
    return { ...frame, lines: kept, body: Buffer.from(encode(frame.body)) }
  }
const chunk = (body: Buffer, extension = '') =>
  Buffer.concat([Buffer.from(`${body.length.toString(16)}${extension}\r\n`), body, Buffer.from('\r\n')])
const inChunks = (body: Buffer, extension?: string) => {
  const chunks: Buffer[] = []
  for (let at = 0; at < body.length; at += 97) chunks.push(chunk(body.subarray(at, at + 97), extension))
  return Buffer.concat(chunks)
}
const end = Buffer.from('0\r\n\r\n')

const encoded =
  (label: string, encode: (body: Buffer) => Buffer): Oddity =>
  frame => {
    const body = encode(frame.body)
    const { lines } = setHeader(length, `Content-Encoding: ${label}`, `Content-Length: ${body.length}`)(frame)
    return { ...frame, lines, body }
  }

const bomb = Buffer.alloc(34 * 1024 * 1024, '[')
const bombs = {
  gzip: gzipSync(bomb),
  br: brotliCompressSync(bomb, { params: { [constants.BROTLI_PARAM_QUALITY]: 3 } }),
  deflate: deflateSync(bomb),
}
const twice = gzipSync(bombs.gzip)

const lengths = [
  '0',
  '1',
  '-1',
  '+5',
  '5, 5',
  '5, 6',
  '0x10',
  '1e3',
  '99999999999999999999',
  '33554433',
  '',
  'abc',
  '4294967296',
]
const codings = [
  'identity',
  'gzip',
  'gzip, chunked',
  'chunked, chunked',
  'chunked, gzip',
  'Chunked',
  ' chunked',
  'xchunked',
  '',
]
const versions = ['HTTP/1.0', 'HTTP/0.9', 'HTTP/1.2', 'HTTP/2.0', 'HTTP/9.9', 'http/1.1', 'HTTP/1.1 x', 'HTTP/', '']
const hosts = [
  'Host:',
  'Host: evil.test',
  'Host: a b',
  'Host: [::1',
  'Host: 127.0.0.1:99999',
  `Host: ${long(9000)}`,
  'Host: \u00ff',
]
const targets = [
  '*',
  '',
  '?',
  '#',
  'x',
  '//',
  'http:',
  'http://evil.test',
  'http://[::1',
  'evil.test:80',
  'ftp://a/v1',
  'mailto:x',
  '/ x',
  '/\u00ff',
  '\\..\\',
]

const oddities: readonly Oddity[] = [
  // Lengths that are wrong, and bodies that have two.
  ...lengths.flatMap(value => [setHeader(length, `Content-Length: ${value}`), addHeaders(`Content-Length: ${value}`)]),
  ...codings.flatMap(value => [
    setHeader(length, `Transfer-Encoding: ${value}`),
    addHeaders(`Transfer-Encoding: ${value}`),
  ]),
  // Chunks, valid and invalid.
  chunked(body => Buffer.concat([inChunks(body), end])),
  chunked(
    body => Buffer.concat([inChunks(body, ';a="b";c'), Buffer.from('0\r\nX-Late: 1\r\nAuthorization: x\r\n\r\n')]),
    'Trailer: X-Late',
  ),
  chunked(body => inChunks(body)),
  chunked(body => Buffer.concat([inChunks(body), Buffer.from('0\r\n')])),
  ...['zz', '-1', 'ffffffffffffffffff', '0x5', ' 5', '5 ', '', ';', `1;${long(20_000)}`].map(size =>
    chunked(() => `${size}\r\nhello\r\n0\r\n\r\n`),
  ),
  chunked(() => '5\nhello\n0\n\n'),
  chunked(() => '5\r\nhello world\r\n0\r\n\r\n'),
  chunked(() => `0\r\n${'X-Trailer: 1\r\n'.repeat(5000)}\r\n`),
  // Encodings.
  encoded('gzip', gzipSync),
  encoded('deflate', deflateSync),
  encoded('br', body => brotliCompressSync(body)),
  encoded('gzip, gzip', body => gzipSync(gzipSync(body))),
  encoded('gzip', body => body),
  encoded('br', gzipSync),
  encoded('gzip', body => gzipSync(body).subarray(0, -4)),
  encoded('gzip', body => Buffer.concat([gzipSync(body), Buffer.from('rest')])),
  encoded('gzip', () => twice),
  encoded('br', () => bombs.br),
  encoded('deflate', () => bombs.deflate.subarray(0, 20_000)),
  // First lines.
  ...versions.map(version => changeRequestLine(line => line.replace(/HTTP\/1\.1$/, version))),
  ...targets.map(target => changeRequestLine(line => `${line.split(' ')[0]} ${target} HTTP/1.1`)),
  changeRequestLine(line => line.replace(/ \//, ' http://other.test/')),
  changeRequestLine(line => line.replace(/^\w+/, 'CONNECT')),
  changeRequestLine(line => line.replace(/^\w+/, 'FROB')),
  changeRequestLine(line => line.toLowerCase()),
  changeRequestLine(line => `\r\n\r\n${line}`),
  changeRequestLine(line => ` ${line}`),
  changeRequestLine(line => line.replaceAll(' ', '  ')),
  changeRequestLine(line => line.replace(' ', ` /${long(70_000)}?`)),
  changeRequestLine(line => line.replace(' /', ' /\0')),
  // Headers.
  setHeader(host),
  ...hosts.flatMap(line => [setHeader(host, line), addHeaders(line)]),
  ...['100-continue', '200-ok', ''].map(value => addHeaders(`Expect: ${value}`)),
  addHeaders('Connection: Upgrade', 'Upgrade: websocket', 'Sec-WebSocket-Key: x', 'Sec-WebSocket-Version: 13'),
  addHeaders('Connection: Upgrade, HTTP2-Settings', 'Upgrade: h2c', 'HTTP2-Settings: AAMAAABkAAQAAP__'),
  addHeaders('Connection: close', 'Connection: keep-alive'),
  addHeaders(...Array.from({ length: 3000 }, (_, at) => `X-${at}: 1`)),
  addHeaders(`X-Long: ${long(100_000)}`),
  addHeaders(`${long(70_000)}: 1`),
  addHeaders('No colon'),
  addHeaders('Bad name : 1'),
  addHeaders(': nameless'),
  addHeaders('X-Folded: a\r\n b'),
  addHeaders('X-Nul: a\0b'),
  addHeaders('X-Bell: a\x07b'),
  addHeaders('X-Return: a\rb'),
  addHeaders('X-Feed: a\nb'),
  addHeaders('__proto__: 1', 'constructor: 1', 'X-Ä: ü'),
  addHeaders('Authorization: Basic x', 'Content-Type: text/plain'),
]

const write = ({ line, lines, body }: Frame) =>
  Buffer.concat([Buffer.from(`${line}\r\n${lines.join('\r\n')}\r\n\r\n`, 'latin1'), body])

/** Bytes that are no request. */
const garbage = fc.oneof(
  fc.uint8Array({ maxLength: 2000 }).map(bytes => Buffer.from(bytes)),
  fc.constantFrom(
    Buffer.alloc(0),
    Buffer.from('\r\n'.repeat(1000)),
    Buffer.from('GET /v1\r\n'),
    Buffer.from('GET'),
    Buffer.from('PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n'),
    Buffer.from([0x16, 0x03, 0x01, 0x02, 0x00, 0x01, 0x00, 0x01, 0xfc, 0x03, 0x03]),
    Buffer.alloc(200_000, 'A'),
  ),
)

/** One or more requests on one connection, most of them malformed or sent in an unusual way. */
export function oddBytes(requests: fc.Arbitrary<OddRequest>): fc.Arbitrary<Delivery> {
  const valid = requests.map(request => write(toFrame(request)))
  const odd = fc.oneof(
    {
      weight: 12,
      arbitrary: fc
        .tuple(requests, fc.constantFrom(...oddities))
        .map(([request, oddity]) => write(oddity(toFrame(request)))),
    },
    { weight: 1, arbitrary: garbage },
    { weight: 1, arbitrary: fc.tuple(valid, fc.nat({ max: 3000 })).map(([whole, size]) => whole.subarray(0, size)) },
  )
  const any = fc.oneof(valid, odd)
  const onOneConnection = fc.oneof(
    { weight: 4, arbitrary: valid.map(bytes => ({ bytes, mustBeAnswered: true })) },
    { weight: 14, arbitrary: odd.map(bytes => ({ bytes, mustBeAnswered: false })) },
    {
      weight: 2,
      arbitrary: fc
        .array(any, { minLength: 2, maxLength: 8 })
        .map(all => ({ bytes: Buffer.concat(all), mustBeAnswered: false })),
    },
  )
  const ending = fc.oneof(
    { weight: 9, arbitrary: fc.constant('end' as const) },
    { weight: 1, arbitrary: fc.constant('break' as const) },
  )
  const slowness = fc.oneof(
    { weight: 6, arbitrary: fc.constant(1) },
    { weight: 1, arbitrary: fc.integer({ min: 2, max: 50 }) },
  )
  return fc.tuple(onOneConnection, ending, slowness).map(([{ bytes, mustBeAnswered }, ending, into]) => ({
    pieces: cut(bytes, into),
    ending,
    mustBeAnswered: mustBeAnswered && ending === 'end',
  }))
}

function cut(bytes: Buffer, into: number): Buffer[] {
  const size = Math.max(1, Math.ceil(bytes.length / into))
  return Array.from({ length: Math.ceil(bytes.length / size) }, (_, at) => bytes.subarray(at * size, (at + 1) * size))
}
