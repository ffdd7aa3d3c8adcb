import { existsSync, readFileSync } from 'node:fs'
import { PassThrough, Writable } from 'node:stream'
import { stripVTControlCharacters } from 'node:util'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { ask } from '../../command/init/ask.ts'
import { createChecks, suggestVerify } from '../../command/init/init.ts'
import { parseTarget } from '../../engine/target/target.ts'
import { startHttpTarget } from '../bad-targets/start-target.ts'
import { startMock } from '../start-mock.ts'
import { createFolder, runCommand, startCommand } from './run-command.ts'

async function start(options: Parameters<typeof startMock>[0] = {}) {
  const running = await startMock(options)
  onTestFinished(running.close)
  const { cloud, selfHosted } = running.target
  return {
    cloud: cloud!,
    selfHosted: selfHosted!,
    args: ['--cloud', cloud!.baseUrl, '--key-id', cloud!.keyId, '--self-hosted', selfHosted!.baseUrl, '--rate', '1000'],
  }
}

describe('stack-parity init', () => {
  it('writes a target file that verify accepts, with the ids from lists and without secrets', async () => {
    const { cloud, selfHosted, args } = await start()
    const file = createFolder().path('target.json')
    const env = { SECRET: cloud.keySecret, OSS_API_KEY: selfHosted.apiKey }
    const given = [...args, '--key-secret', '$SECRET', '--api-key', selfHosted.apiKey, '--out', file]
    const { status, stderr } = await startCommand(['init', ...given], env).finished
    expect(stderr).toContain(`Next: stack-parity verify --target ${file} --read-only`)
    expect(status).toBe(0)
    const text = readFileSync(file, 'utf8')
    for (const secret of Object.values(env)) expect(text + stderr).not.toContain(secret)
    const found = parseTarget(text, env)
    expect(found).toMatchObject({
      cloud: {
        keyId: cloud.keyId,
        keySecret: cloud.keySecret,
        organizationId: cloud.organizationId,
        serviceId: cloud.serviceId,
      },
      selfHosted: { apiKey: selfHosted.apiKey, references: { dashboardId: selfHosted.references!.dashboardId } },
    })
    expect(found.selfHosted!.references!.sources).toEqual(selfHosted.references!.sources)
    expect(text).toContain('// "ingestionKey": ""')
    expect(
      (await startCommand(['verify', '--target', file, '--read-only', '--quiet', '--rate', '1000'], env).finished)
        .stdout,
    ).toContain(' 0 broken')
  })

  it('finds the segment of the managed form, or lists the form under notOffered', async () => {
    const segmented = await start({ segment: 'clickstack' })
    const initialise = async ({ cloud }: typeof segmented) => {
      const args = ['--cloud', cloud.baseUrl, '--key-id', cloud.keyId, '--key-secret', cloud.keySecret]
      const { stdout } = await runCommand('init', ...args, '--rate', '1000')
      return { target: parseTarget(stdout, { CLOUD_KEY_SECRET: cloud.keySecret }), stdout }
    }
    expect((await initialise(segmented)).target.cloud!.observabilitySegment).toBe('clickstack')
    const { target, stdout } = await initialise(await start({ segment: 'elsewhere' }))
    expect(target.notOffered).toEqual(['managed'])
    expect(stdout).toContain('// Left out: the managed form. the service has no observability API there')
  })

  it('takes addresses as they are copied from a document, and names the deployment by its host and port', async () => {
    const { cloud, selfHosted, args } = await start()
    const given = args.map(arg =>
      arg === cloud.baseUrl ? `${arg}/v1/` : arg === selfHosted.baseUrl ? `${arg}/api/v2` : arg,
    )
    const secrets = ['--key-secret', cloud.keySecret, '--api-key', selfHosted.apiKey]
    const { stdout } = await runCommand('init', ...given, ...secrets)
    expect(parseTarget(stdout, { CLOUD_KEY_SECRET: cloud.keySecret, OSS_API_KEY: selfHosted.apiKey })).toMatchObject({
      name: new URL(cloud.baseUrl).host,
      cloud: { baseUrl: cloud.baseUrl },
      selfHosted: { baseUrl: selfHosted.baseUrl },
    })
  })

  it('checks each answer at once, and asks again for what is wrong', async () => {
    const { cloud, selfHosted } = await start()
    const input = new PassThrough()
    let printed = ''
    const output = new Writable({
      write(chunk, _, done) {
        printed += stripVTControlCharacters(String(chunk))
        done()
      },
    })
    const asked = ask({}, createChecks({}, { env: { SECRET: cloud.keySecret } }), { input, output })
    const reply = async (question: string, text: string) => {
      await vi.waitFor(() => expect(printed).toContain(question), { timeout: 30_000, interval: 10 })
      printed = ''
      input.write(text)
    }
    const clear = '\u0015'
    await reply('Address of the cloud', 'http://127.0.0.1:1\r')
    await reply('http://127.0.0.1:1 cannot be reached', `${clear}${selfHosted.baseUrl}/api/v2\r`)
    await reply('leads to something else', `${clear}${cloud.baseUrl}/v1\r`)
    await reply('Key id', `${cloud.keyId}\r`)
    await reply('Key secret', '$GONE\r')
    await reply('The environment variable GONE is not set.', `${clear}wrong\r`)
    await reply('the credentials were refused (401', '\r')
    await reply('Key secret', '$SECRET\r')
    await reply('Address of the self-hosted', '\r')
    expect(await asked).toEqual({ cloud: `${cloud.baseUrl}/v1`, 'key-id': cloud.keyId, 'key-secret': '$SECRET' })
  })

  it.each([
    [[], 'an address is needed: --cloud URL, --self-hosted URL, or both.'],
    [['--self-hosted', 'nowhere', '--api-key', 'a'], 'the address must begin with http:// or https://.'],
    [['--self-hosted', 'http://127.0.0.1:1', '--api-key', 'a'], 'http://127.0.0.1:1 cannot be reached'],
    [['--self-hosted', 'http://example.test', '--api-key', 'a'], 'would get the credentials unencrypted'],
    [['--self-hosted', 'http://127.0.0.1:1'], '`selfHosted.apiKey` is missing. Add --api-key.'],
    [['--self-hosted', 'http://127.0.0.1:1', '--api-key', '$GONE'], 'GONE is not set.'],
    [
      ['--cloud', 'http://127.0.0.1:1'],
      '`cloud.keyId` and `cloud.keySecret` are missing. Add --key-id and --key-secret.',
    ],
    [
      ['--self-hosted', 'http://127.0.0.1:1', '--api-key', '$GONE', '--ingestion-key', '$LOST'],
      'the environment variables GONE (--api-key) and LOST (--ingestion-key) are not set.',
    ],
  ])('writes nothing for %j: %s', async (args, sentence) => {
    const { status, stdout, stderr } = await runCommand('init', ...args, '--rate', '1000')
    expect(stderr).toContain(sentence)
    expect([status, stdout]).toEqual([2, ''])
  })

  it('writes nothing for a server of another API', async () => {
    const { baseUrl } = await startHttpTarget((_, response) => {
      response.setHeader('content-type', 'text/html')
      response.end('<title>Welcome</title>')
    })
    const folder = createFolder()
    const given = ['--cloud', baseUrl, '--key-id', 'a', '--key-secret', 'b', '--self-hosted', baseUrl, '--api-key', 'c']
    const { status, stderr } = await runCommand('init', ...given, '--rate', '1000', '--out', folder.path('target.json'))
    expect(stderr).toContain(
      `${baseUrl} leads to something else: nothing there answers as this API does (200, text/html`,
    )
    expect([status, existsSync(folder.path('target.json'))]).toEqual([2, false])
  })

  it.each([
    ['https://api.clickhouse.cloud', ' --read-only --known-broken clickhouse-cloud'],
    ['http://10.0.0.7:8001', ' --read-only --insecure'],
    ['http://127.0.0.1:8001', ' --read-only'],
    ['https://clickhouse.cloud.example.test', ' --read-only'],
  ])('prints the options that a first run on %s needs', (baseUrl, options) => {
    expect(suggestVerify({ cloud: { baseUrl, keyId: 'a', keySecret: 'b' } }, 'my file.json')).toBe(
      `stack-parity verify --target 'my file.json'${options}`,
    )
  })

  it('reports refused credentials without printing them, and does not overwrite a file', async () => {
    const { args } = await start()
    const refused = await runCommand('init', ...args, '--key-secret', 'wrong-secret', '--api-key', 'wrong-key')
    expect(refused.stderr).toContain('the credentials were refused (401 to GET ')
    expect(refused.stderr).not.toContain('wrong-')
    expect(refused.status).toBe(2)
    const file = createFolder().write('target.json', 'mine')
    expect((await runCommand('init', ...args, '--out', file)).stderr).toContain('the file exists already')
    expect(readFileSync(file, 'utf8')).toBe('mine')
  })
})
