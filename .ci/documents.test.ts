import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { dirname, join, normalize } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, it } from 'vitest'
import { devDependencies } from '../package.json'

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
