import { once } from 'node:events'
import { get } from 'node:http'
import { connect } from 'node:net'
import { setupServer } from 'msw/node'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { createMock } from './create-mock.ts'
import { createMswHandlers } from './msw.ts'
import { type RunningMock, serve } from './serve.ts'

const mock = createMock()
const bearer = { authorization: `Bearer ${mock.target().selfHosted!.apiKey}` }
const withoutChaos = { ...bearer, 'x-stack-parity-chaos': 'off' }

describe('chaos over HTTP', () => {
  let running: RunningMock
  let alerts: string
  beforeEach(async () => {
    running = await serve(mock, {})
    alerts = `${running.target().selfHosted!.baseUrl}/api/v2/alerts`
  })
  afterEach(async () => {
    mock.setChaos({})
    await running.close()
  })

  it('closes the connection without an answer, also for pipelined requests', async () => {
    mock.setChaos({ dropRate: 1 })
    const { port } = new URL(alerts)
    const socket = connect(Number(port), '127.0.0.1')
    socket.write('GET /api/v2/alerts HTTP/1.1\r\nHost: x\r\n\r\n'.repeat(2))
    let received = ''
    socket.on('data', chunk => {
      received += chunk
    })
    socket.on('error', () => {})
    await once(socket, 'close')
    expect(received).toBe('')
    await expect(fetch(alerts, { headers: bearer })).rejects.toThrow('fetch failed')
  })

  it('breaks an answer off after half of its Content-Length', async () => {
    mock.setChaos({ truncateRate: 1 })
    const response = await fetch(alerts, { headers: bearer })
    expect(response.status).toBe(200)
    await expect(response.text()).rejects.toThrow('terminated')

    const [plain] = await once(get(alerts, { headers: bearer }), 'response')
    let bytes = 0
    plain.on('data', (chunk: Buffer) => {
      bytes += chunk.length
    })
    const [error] = await once(plain, 'error')
    expect(error.code).toBe('ECONNRESET')
    expect(bytes).toBe(Math.floor(Number(plain.headers['content-length']) / 2))
  })

  it('does not affect a retry with the header x-stack-parity-chaos: off', async () => {
    mock.setChaos({ dropRate: 0.5, truncateRate: 0.5, errorRate: 0.5, rateLimit: true, seed: 3 })
    const read = (headers: Record<string, string>) =>
      fetch(alerts, { headers }).then(async response => ({ status: response.status, ...(await response.json()) }))
    const outcomes: string[] = []
    for (let i = 0; i < 30; i++) {
      const first = await read(bearer).catch(error => ({ status: 0, why: (error as Error).message }))
      outcomes.push(`${first.status}`)
      if (first.status !== 200) expect(await read(withoutChaos)).toMatchObject({ status: 200, data: expect.any(Array) })
    }
    expect(new Set(outcomes)).toEqual(new Set(['0', '200', '500']))
  })

  it('delays a call before it drops the call', async () => {
    mock.setChaos({ latencyMs: [60, 60], dropRate: 1 })
    const began = performance.now()
    await expect(fetch(alerts, { headers: bearer })).rejects.toThrow('fetch failed')
    expect(performance.now() - began).toBeGreaterThan(55)
  })
})

const inMsw = setupServer(...createMswHandlers(mock))
const faces = [
  ['the fetch of a mock', mock.fetch],
  ['MSW', (...args: Parameters<typeof fetch>) => globalThis.fetch(...args)],
] as const

describe.each(faces)('chaos in %s', (_, send) => {
  const alerts = `${mock.target().selfHosted!.baseUrl}/api/v2/alerts`
  beforeEach(() => inMsw.listen())
  afterEach(() => {
    mock.setChaos({})
    inMsw.close()
  })

  it('rejects a dropped call as a network error', async () => {
    mock.setChaos({ dropRate: 1 })
    await expect(send(alerts, { headers: bearer })).rejects.toThrow(TypeError)
    expect((await send(alerts, { headers: withoutChaos })).status).toBe(200)
  })

  it('makes reading the body of a truncated answer fail', async () => {
    mock.setChaos({ truncateRate: 1 })
    const response = await send(alerts, { headers: bearer })
    expect(response.status).toBe(200)
    expect(Number(response.headers.get('content-length'))).toBeGreaterThan(100)
    await expect(response.text()).rejects.toThrow('broke off in the middle')
    expect(await (await send(alerts, { headers: withoutChaos })).json()).toHaveProperty('data')
  })
})
