import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { dirname, join, normalize } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, it } from 'vitest'
import * as suite from '../contract-tests/command/options.ts'
import { options as mockOptions } from '../mock-server/command/options.ts'
import { readArguments, type Syntax } from '../mock-server/command/read-arguments.ts'
import { createMock } from '../mock-server/faces/create-mock.ts'
import { devDependencies, scripts, version } from '../package.json'

const root = fileURLToPath(new URL('..', import.meta.url))
const read = (document: string) => readFileSync(join(root, document), 'utf8')
const isDocument = (name: string) => name.endsWith('.md')
const documents = [
  ...readdirSync(root),
  ...['.ci', 'contract-tests', 'fixtures', 'mock-server'].flatMap(folder =>
    readdirSync(join(root, folder), { encoding: 'utf8', recursive: true }).map(name => join(folder, name)),
  ),
].filter(isDocument)

/** The targets of the links of a document, except those to other sites: a path from the root, and an anchor. */
function listLinks(document: string) {
  const links = [...read(document).matchAll(/\]\(([^)\s]+)\)/g)].map(([, link = '']) => link)
  const inside = links.filter(link => !/^https?:/.test(link))
  return inside.map(link => {
    const [path = '', anchor] = link.split('#')
    return { link, path: path === '' ? document : normalize(join(dirname(document), path)), anchor }
  })
}

/** The anchors of a document: its headings and its explicit ids. */
function listAnchors(document: string): readonly string[] {
  const text = read(document)
  const headings = [...text.matchAll(/^#+ (.+)$/gm)].map(([, heading = '']) =>
    heading
      .toLowerCase()
      .replace(/[^\w\- ]/g, '')
      .replaceAll(' ', '-'),
  )
  return [...headings, ...[...text.matchAll(/<a (?:id|name)="([^"]+)"/g)].map(([, id = '']) => id)]
}

it.each(documents)('every link of %s has a target', document => {
  const dead = listLinks(document).filter(
    ({ path, anchor }) =>
      !existsSync(join(root, path)) || (anchor && isDocument(path) && !listAnchors(path).includes(anchor)),
  )
  expect(dead.map(({ link }) => link)).toEqual([])
})

it('the README begins with the commands for a fresh clone, and CI runs its test command', () => {
  const [, block = ''] = /```sh\n([\s\S]*?)```/.exec(read('README.md')) ?? []
  const [clone, start, test] = block.split('\n').map(line => line.replace(/ +#.*/, ''))
  expect([clone, start]).toEqual(['git clone ADDRESS stack-parity && cd stack-parity', 'npm ci && npm start'])
  expect(scripts.start).toBe('node dist/cli.js mock')
  expect(read('.ci/run').split('\n')).toContain(test)
})

const guides = documents.filter(name =>
  /^(?:README\.md|(?:mock-server|contract-tests)\/(?:README\.md|guides\/))/.test(name),
)
const tables: Readonly<Record<string, Readonly<Record<string, Syntax>>>> = {
  mock: mockOptions,
  verify: suite.options,
  sweep: suite.sweepOptions,
  compare: suite.compareOptions,
  init: suite.initOptions,
  capture: suite.captureOptions,
  proxy: suite.proxyOptions,
}

it('every command in the README and in guides has only options that exist', () => {
  const text = guides.map(read).join('\n').replaceAll('\\\n', ' ').replaceAll('"$@"', '')
  const commands = [...text.matchAll(/\bstack-parity (\w+)((?: +(?:'[^']*'|"[^"]*"|[^\s#`'";]+))*)/g)]
  const refused = commands.flatMap(([line, name = '', words = '']) => {
    const table = tables[name]
    if (!table || !words.includes(' --')) return []
    const values = readArguments(name, [...words.matchAll(/'[^']*'|\S+/g)].map(String), table)
    return typeof values === 'string' ? [`${line}: ${values}`] : []
  })
  expect(refused).toEqual([])
  expect(commands.length).toBeGreaterThan(20)
})

it('nothing asks a registry for this package, which is not in it: not the guides, not the action', () => {
  const asking = [...guides, 'action.yml', '.ci/run'].flatMap(name =>
    read(name)
      .split('\n')
      .filter(line => /npx (?:--yes|-y)\b|npm (?:i|install|add)\b[^`#]* stack-parity\b/.test(line))
      .map(line => `${name}: ${line}`),
  )
  expect(asking).toEqual([expect.stringMatching(/^README\.md: Once it is published: `npm i -D stack-parity`/)])
  expect(read('README.md')).toContain(`npm i -D ../stack-parity/stack-parity-${version}.tgz `)
})

it('documents say how many operations of the vendor the mock has, and how many of them only with --as', () => {
  const countServed = (options: Parameters<typeof createMock>[0]) => {
    const { paths } = createMock({ ...options, logs: 0 }).describe('cloud') as {
      paths: Readonly<Record<string, object>>
    }
    return Object.values(paths).flatMap(methods => Object.keys(methods).filter(name => name !== 'parameters')).length
  }
  const vendor = read('fixtures/documents/cloud-operations.tsv').match(/^[^#\s].*$/gm)!.length
  const more = countServed({ as: 'clickhouse-cloud' }) - countServed({})
  const [mock, guide] = [read('mock-server/README.md'), read('mock-server/guides/instead-of-clickhouse-cloud.md')]
  expect(mock).toContain(`the ${vendor} operations of the vendor's document of October 2026 (${more} of them only with`)
  expect(guide).toContain(`all ${vendor} operations of the vendor's document`)
  expect(guide).toContain(`with ${more} operations fewer`)
  expect(read('CHANGELOG.md')).toContain(`${vendor} operations of the vendor's document`)
})

it('every dependency has an exact version, and a line in .ci/README.md with its purpose', () => {
  for (const version of Object.values(devDependencies)) expect(version).toMatch(/^(?:npm:.+@)?\d+\.\d+\.\d+$/)
  const [, table = ''] = read('.ci/README.md').split('| purpose |')
  const named = [...table.matchAll(/^\| ([^|]+) \| \S/gm)].flatMap(([, names = '']) => names.split(', '))
  expect(named.sort()).toEqual(Object.keys(devDependencies).sort())
})

it('the Docker image has every source that the build reads', () => {
  const [, sources = ''] = /const sources = \[([^\]]+)\]/.exec(read('.ci/build.mjs')) ?? []
  const copied = [...read('Dockerfile').matchAll(/^COPY (?!--)(.+) \S+$/gm)].flatMap(([, names = '']) =>
    names.split(' '),
  )
  const unignored = read('.dockerignore').match(/(?<=^!).+/gm) ?? []
  for (const [, source = ''] of sources.matchAll(/'([^'/]+)[^']*'/g)) {
    expect(unignored).toContain(source)
    expect(
      copied.some(name => name === source || (name === '*.ts' && source.endsWith('.ts'))),
      source,
    ).toBe(true)
  }
})
