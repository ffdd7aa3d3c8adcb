import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { expect, it } from 'vitest'

it('the soak test keeps its memory steady under faults, chaos, resets and changing worlds', async () => {
  const script = fileURLToPath(new URL('soak.ts', import.meta.url))
  const soak = spawn(process.execPath, ['--import', 'tsx', script, '--minutes=0.05', '--rounds=2'])
  let printed = ''
  for (const stream of [soak.stdout, soak.stderr]) {
    stream.on('data', chunk => {
      printed += chunk
    })
  }
  const [status] = await once(soak, 'close')
  expect([status, printed]).toEqual([0, expect.stringMatching(/Round 2: \d+ answers[\s\S]*Steady\.\n$/)])
}, 120_000)
