import { execFileSync } from 'node:child_process'
import { existsSync, mkdirSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startBuiltMock } from './built-mock.ts'
import { type Bench, type Chapter, renderComparison, round } from './chapter.ts'
import { compareInPairs } from './paired-bursts.ts'
import { alertBody, ask, call, getBackup, listMembers, type SentRequest, writeRequest } from './requests.ts'
import { memoryOf, type Process, startPlainServer, startUntil } from './running.ts'
import { findFreePort } from './starting.ts'

/** Comparable tools and their versions. They are installed outside the project, on demand. */
const folder = join(tmpdir(), 'stack-parity-peers')
const versions = { '@stoplight/prism-cli': '5.14.2', '@mockoon/cli': '9.9.0', 'json-server': '0.17.4' }

interface Peer {
  readonly name: string
  /** The command and arguments that serve the answers of the mock, as far as this peer can. */
  readonly start: (port: number, files: Files) => readonly string[]
  /** The path at which it serves a request; undefined if it cannot. */
  readonly path: (asked: SentRequest) => string | undefined
}

/** The input files of the peers. */
interface Files {
  readonly openapi: string
  readonly mockoon: string
  readonly records: string
}

const bin = (name: string) => join(folder, 'node_modules/.bin', name)
const samePath = ({ path }: SentRequest) => path

const peers: readonly Peer[] = [
  {
    name: 'Prism CLI 5.14.2, static',
    start: (port, { openapi }) => [bin('prism'), 'mock', '-h', '127.0.0.1', '-p', `${port}`, '-v', 'silent', openapi],
    path: samePath,
  },
  {
    name: 'Mockoon CLI 9.9.0',
    start: (port, { mockoon }) => [
      bin('mockoon-cli'),
      'start',
      '--data',
      mockoon,
      '--port',
      `${port}`,
      '--disable-log-to-file',
    ],
    path: samePath,
  },
  {
    name: 'json-server 0.17.4',
    start: (port, { records }) => [bin('json-server'), '--quiet', '--host', '127.0.0.1', '--port', `${port}`, records],
    path: ({ path }) => path.replace(/^.*\/(members|backups|alerts)/, '/$1'),
  },
]

/** Measures peers that serve the answers of the mock: their speed relative to node:http. */
export async function measurePeers(bench: Bench): Promise<Chapter> {
  install()
  const mock = await startBuiltMock()
  const plain = await startPlainServer('node')
  try {
    const asked = [
      listMembers(mock),
      getBackup(mock),
      call(mock, 'create an alert', 'POST', 'alerts', alertBody(mock.target)),
    ]
    const answers = []
    for (const one of asked) answers.push({ asked: one, answer: await ask(one) })
    const files = writeFiles(answers)
    const rows = []
    for (const { name, start, path } of peers) {
      const port = await findFreePort()
      const [command = '', ...args] = start(port, files)
      const began = performance.now()
      let peer: Process
      try {
        peer = await startUntil(command, args, `http://127.0.0.1:${port}${path(asked[0]!)}`, folder)
      } catch (error) {
        rows.push({ server: name, operation: (error as Error).message })
        continue
      }
      const startMs = Math.round(performance.now() - began)
      const memory = memoryOf(peer.pid)
      for (const { asked: one, answer } of answers) {
        const peerPath = path(one)
        if (peerPath === undefined) continue
        await plain.setAnswer(answer)
        const compared = await compareInPairs(
          bench.loader,
          { port: plain.port, pid: plain.pid, requests: [writeRequest(one)] },
          { port, pid: peer.pid, requests: [writeRequest({ ...one, path: peerPath })] },
          bench.pace,
        )
        const row = { server: name, operation: one.name, ...renderComparison(compared) }
        rows.push({ ...row, 'start ms': startMs, 'RSS MiB': memory && round(memory, 0) })
      }
      await peer.stop()
    }
    return {
      title: 'Peers',
      description:
        'Requests per second over those of a bare node:http server, in alternating bursts. No peer checks credentials. Only ' +
        'json-server keeps what is created, and writes its whole file each time; the others have no operations to get, update ' +
        'or delete it. The time to start ends with the first answer of any kind.',
      rows,
    }
  } finally {
    await Promise.all([mock.stop(), plain.stop()])
  }
}

function install() {
  if (Object.keys(versions).every(name => existsSync(join(folder, 'node_modules', name)))) return
  mkdirSync(folder, { recursive: true })
  writeFileSync(join(folder, 'package.json'), '{ "private": true }')
  const packages = Object.entries(versions).map(([name, version]) => `${name}@${version}`)
  execFileSync('npm', ['install', '--no-audit', '--no-fund', ...packages], {
    cwd: folder,
    stdio: ['ignore', 'ignore', 'inherit'],
  })
}

type AnsweredRequest = { readonly asked: SentRequest; readonly answer: Awaited<ReturnType<typeof ask>> }

function writeFiles(answers: readonly AnsweredRequest[]): Files {
  const write = (name: string, content: unknown) => {
    const file = join(folder, name)
    writeFileSync(file, JSON.stringify(content))
    return file
  }
  return {
    openapi: write('openapi.json', describe(answers)),
    mockoon: write('mockoon.json', createMockoonEnvironment(answers)),
    records: write('records.json', createRecords(answers)),
  }
}

const json = 'application/json'

/** An OpenAPI document of the requested paths, each with the answer of the mock as its example. */
function describe(answers: readonly AnsweredRequest[]) {
  const operation = ({ asked, answer }: AnsweredRequest) => ({
    ...(asked.body !== '' && { requestBody: { content: { [json]: { schema: {} } } } }),
    responses: { [answer.status]: { description: '', content: { [json]: { example: JSON.parse(answer.body) } } } },
  })
  const paths = answers.map(answered => [
    answered.asked.path,
    { [answered.asked.method.toLowerCase()]: operation(answered) },
  ])
  return { openapi: '3.0.3', info: { title: 'bench', version: '1' }, paths: Object.fromEntries(paths) }
}

function createMockoonEnvironment(answers: readonly AnsweredRequest[]) {
  const id = (number: number) => `00000000-0000-4000-8000-${String(number).padStart(12, '0')}`
  const routes = answers.map(({ asked, answer }, i) => ({
    uuid: id(i),
    type: 'http',
    method: asked.method.toLowerCase(),
    endpoint: asked.path.slice(1),
    responses: [
      {
        uuid: id(100 + i),
        statusCode: answer.status,
        body: answer.body,
        headers: [{ key: 'Content-Type', value: json }],
        default: true,
        disableTemplating: true,
      },
    ],
  }))
  const rootChildren = routes.map(({ uuid }) => ({ type: 'route', uuid }))
  return {
    uuid: id(999),
    lastMigration: 33,
    name: 'bench',
    port: 3000,
    hostname: '127.0.0.1',
    routes,
    rootChildren,
    headers: [],
  }
}

/** The records from which json-server derives its routes. */
function createRecords(answers: readonly AnsweredRequest[]) {
  const [members, backup] = answers.map(({ answer }) => JSON.parse(answer.body).result)
  return { members, backups: [backup], alerts: [] }
}
