import { describe, expect, it } from 'vitest'
import type { Client } from '../harness/client.ts'
import { exitStatus } from '../harness/exit-status.ts'
import { verify } from '../harness/verify.ts'
import { deploy } from './other-deployment/deployment.ts'
import { type Mutant, mutants } from './other-deployment/mutants.ts'
import { describeTarget } from './other-deployment/target.ts'

/**
 * Every mutant of the other deployment is noticed under its rule and no other. The deployment is called directly here, which
 * takes a tenth of the time; different-choices.test.ts is the same suite over real sockets.
 */

const target = describeTarget('http://cloud.localhost/gateway', 'http://open.localhost')

function createDeploymentClient(mutant: Mutant): Client {
  const answer = deploy(mutant)
  return {
    async send({ baseUrl, method, path, headers, body = '' }) {
      const { pathname } = new URL(baseUrl + path)
      const call = {
        method,
        path: pathname,
        authorization: headers.authorization,
        contentType: headers['content-type'],
        body,
      }
      const { status, headers: sent, text, json } = answer(call, baseUrl.includes('cloud') ? 'cloud' : 'selfHosted')
      const lower = Object.fromEntries(Object.entries(sent).map(([name, value]) => [name.toLowerCase(), value]))
      return {
        status,
        headers: lower,
        text: method === 'HEAD' ? '' : (text ?? (json === undefined ? '' : JSON.stringify(json))),
      }
    },
  }
}

describe('the suite on a mutant of the other deployment', () => {
  it.each(mutants)('$id: notices it under $rule, and under no rule that it leaves whole', async mutant => {
    const report = await verify({ target, client: createDeploymentClient(mutant) })
    const wrong = report.rules.filter(({ outcome }) => outcome === 'broken' || outcome === 'errored')
    expect(wrong.map(({ id, form }) => `${id} ${form}`)).toContain(`${mutant.rule} ${mutant.form}`)
    const allowed: readonly string[] = [mutant.rule, ...(mutant.also ?? [])]
    expect(wrong.map(({ id }) => id).filter(id => !allowed.includes(id))).toEqual([])
    expect(exitStatus(report, { strict: true })).toBe(1)
  })
})
