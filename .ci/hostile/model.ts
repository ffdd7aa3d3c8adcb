import { readProgramOptions } from '../read-program-options.ts'
import { runAlone, runTogether } from './model-runs.ts'
import { spawnMock } from './started-mock.ts'

const values = readProgramOptions('model', {
  steps: { description: 'the number of steps, half of them by one client and half by 64', number: 20_000 },
  seed: { description: 'repeats the run with this seed', number: undefined },
})
const seed = values.seed ?? Date.now() % 2 ** 31
const steps = values.steps / 2
console.log(`Replay this with --seed ${seed}.`)

const time = async (description: string, run: () => Promise<number>) => {
  const began = performance.now()
  const done = await run()
  console.log(`${description}: ${done} steps in ${Math.round((performance.now() - began) / 1000)} s`)
}

await time('One client, in process', () => runAlone({ steps, seed }))
const mock = await spawnMock('--seed=1')
try {
  await time('64 clients, over sockets', () => runTogether(mock.target, { steps, seed }))
} finally {
  await mock.stop()
}
