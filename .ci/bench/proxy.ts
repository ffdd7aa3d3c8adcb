import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { Agent, request } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { dist, startBuiltMock } from './built-mock.ts'
import { type Bench, type Chapter, round } from './chapter.ts'
import { median } from './paired-bursts.ts'

/** Measures the time that the proxy adds to a call by judging it. One client waits for each answer. */
export async function measureProxy({ isQuick }: Bench): Promise<Chapter> {
  const folder = mkdtempSync(join(tmpdir(), 'stack-parity-bench-'))
  const mock = await startBuiltMock()
  const agent = new Agent({ keepAlive: true })
  const { cloud } = mock.target
  const authorization = `Basic ${btoa(`${cloud.keyId}:${cloud.keySecret}`)}`
  const ask = (baseUrl: string) =>
    new Promise<number>((resolve, reject) => {
      const began = performance.now()
      const path = `${baseUrl}/v1/organizations/${cloud.organizationId}/members`
      const sent = request(path, { agent, headers: { authorization } }, answer => {
        answer.resume().on('end', () => resolve(performance.now() - began))
      })
      sent.on('error', reject).end()
    })
  const measure = async (baseUrl: string) => {
    const times: number[] = []
    for (let call = 0; call < (isQuick ? 300 : 2000); call++) times.push(await ask(baseUrl))
    return median(times)
  }
  async function row(what: string, ...options: readonly string[]) {
    const file = join(folder, 'target.json')
    writeFileSync(file, JSON.stringify(mock.target))
    const ports = ['--cloud-port', '0', '--self-hosted-port', '0', '--no-console']
    const proxy = spawn(process.execPath, [`${dist}cli.js`, 'proxy', '--target', file, ...ports, ...options])
    proxy.stdout.resume()
    let printed = ''
    while (!printed.includes('Ctrl-C')) printed += String((await once(proxy.stderr, 'data'))[0])
    proxy.stderr.resume()
    const address = /Cloud, managed +(\S+)/.exec(printed)![1]!
    try {
      for (const baseUrl of [cloud.baseUrl, address]) await measure(baseUrl)
      const [direct, through] = [await measure(cloud.baseUrl), await measure(address)]
      return { what, 'p50 ms': round(direct, 3), 'p50 ms through': round(through, 3), adds: round(through - direct, 3) }
    } finally {
      proxy.kill('SIGKILL')
    }
  }
  try {
    return {
      title: 'The proxy',
      description: 'GET members from the mock, and through stack-parity proxy, one after the other; medians in ms.',
      rows: [await row('without options'), await row('--hold', '--hold')],
    }
  } finally {
    agent.destroy()
    await mock.stop()
    rmSync(folder, { recursive: true })
  }
}
