import { parseArgs } from 'node:util'
import { runAlone, runTogether } from './model-runs.ts'
import { spawnMock } from './started-mock.ts'

const { values } = parseArgs({ options: { steps: { type: 'string', default: '20000' }, seed: { type: 'string' } } })
const seed = values.seed === undefined ? Date.now() % 2 ** 31 : Number(values.seed)
const steps = Number(values.steps) / 2
console.log(`Replay this with --seed ${seed}.`)

const time = async (says: string, run: () => Promise<number>) => {
  const began = performance.now()
  const done = await run()
  console.log(`${says}: ${done} steps in ${Math.round((performance.now() - began) / 1000)} s`)
}

await time('One client, in process', () => runAlone({ steps, seed }))
const mock = await spawnMock('--seed=1')
try {
  await time('64 clients, over sockets', () => runTogether(mock.target, { steps, seed }))
} finally {
  await mock.stop()
}
