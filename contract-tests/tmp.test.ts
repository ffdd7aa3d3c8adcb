import { it } from 'vitest'
import { createMock } from '../mock-server/index.ts'
import { verify } from './run/verify.ts'
import { createDirectClient, directTarget } from './self/direct-client.ts'
import { createDeploymentClient, deploymentTarget } from './self/other-deployment/client.ts'
import { deploy } from './self/other-deployment/deployment.ts'

it('x', async () => {
  const mock = createMock({})
  for (const [target, client] of [
    [directTarget(mock), createDirectClient(mock)],
    [deploymentTarget, createDeploymentClient(deploy())],
  ] as const) {
    const r = await verify({ target, client })
    process.stderr.write(
      `SUM ${r.requests} ${JSON.stringify(r.summary)} ${JSON.stringify(r.rules.filter(x => x.outcome === 'broken' || x.outcome === 'errored').map(x => [x.id, x.form, x.detail]))} left ${JSON.stringify(r.left)}\n`,
    )
    process.stderr.write(
      `NEW ${r.rules
        .filter(x => /siblings|agrees|never-changes|unsent/.test(x.id))
        .map(x => [x.id, x.form, x.outcome, x.detail].join(' '))
        .join('\nNEW ')}\n`,
    )
  }
})
