import { describe, expect, it } from 'vitest'
import { createMock } from '../../mock-server/index.ts'
import type { Client } from '../engine/clients/client.ts'
import { createLedger } from '../engine/ledger.ts'
import { reporters } from '../report/index.ts'
import { createPaint, renderTerminal } from '../report/terminal.ts'
import { verify } from '../run/verify.ts'
import { createDirectClient, directTarget } from './direct-client.ts'

/** No output of a run has a secret that a deployment shows once, in the answer to a creation. */

/** A run whose report quotes creations and lists what is left, and the secrets that the answers showed. */
async function run() {
  const mock = createMock({ faults: ['key/created-is-got', 'service/created-is-got'] })
  const direct = createDirectClient(mock)
  const secrets = new Set<string>()
  const client: Client = {
    ...direct,
    async send(request) {
      if (request.method === 'DELETE') return { status: 500, headers: {}, text: '' }
      const answer = await direct.send(request)
      const result = request.path.startsWith('/v1') ? JSON.parse(answer.text || '{}').result : undefined
      for (const secret of [result?.keySecret, result?.password]) if (secret) secrets.add(secret)
      if (result?.keySecret) secrets.add(btoa(`${result.keyId}:${result.keySecret}`))
      return answer
    },
  }
  let lines = ''
  const ledger = createLedger(line => {
    lines += line
  })
  const report = await verify({ target: directTarget(mock), client, ledger, rules: ['key/', 'service/'] })
  return { report, secrets, lines }
}

describe('a secret that an answer shows once', () => {
  it('is in no report, not in the ledger and not on the terminal', async () => {
    const { report, secrets, lines } = await run()
    expect(secrets.size).toBeGreaterThanOrEqual(6)
    expect(report.left!.map(({ resource }) => resource)).toEqual(expect.arrayContaining(['key', 'service']))
    const quoted = JSON.stringify(report)
    expect(quoted).toContain('keySecret')
    const outputs = [
      quoted,
      lines,
      renderTerminal(report, createPaint(false), {}),
      ...Object.values(reporters).map(render => render(report)),
    ]
    for (const output of outputs) for (const secret of secrets) expect(output).not.toContain(secret)
  })
})
