import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { basename, dirname, posix } from 'node:path'
import { fileURLToPath } from 'node:url'
import ts from 'typescript-6'
import { describe, expect, it } from 'vitest'
import { core } from '../../mock-server/mock/made-of.ts'

/**
 * The rooms of each program, from the top. A file imports only from its own room and from rooms below, types included. Rooms
 * in one line do not import each other.
 */
const layers = {
  'mock-server': [
    ['command'],
    // The page, which imports the types of the control plane's answers.
    ['console'],
    ['faces'],
    // The engines that answer the SQL of services.
    ['sql'],
    // The mock and its worlds: connects the families, the pipeline and its disruptions.
    ['mock'],
    ['core'],
    ['families'],
    ['telemetry'],
    ['gaps', 'faults', 'chaos'],
    ['world'],
    ['fields'],
    ['words'],
  ],
  'contract-tests': [['command'], ['run'], ['report'], ['families'], ['rules'], ['visits'], ['engine']],
}

/** Exceptions with reasons: `importer -> imported` or `file: let name`. One that is no longer needed fails the test. */
const exceptions: Readonly<Record<string, string>> = {}

/** Files in which a text that is also the name of a model means something else, or is needed. */
const otherMeanings: Readonly<Record<string, { readonly of: string; readonly in: RegExp }>> = {
  'an event of servers': { of: 'connection', in: /^faces\/(?:drain|listener|tls|sql\/listener)\.ts$/ },
  'the host of a delivery in the journal': {
    of: 'webhook',
    in: /^(?:command\/render-call|core\/journal\/|faces\/(?:control\/(?:calls|har)|repeat-on-mock)|mock\/arrange\/nearest-miss)/,
  },
  'the channel of a mention': { of: 'webhook', in: /^faces\/webhooks\/deliver-webhook\.ts$/ },
  'the kind of an actor, or a part of a path': { of: 'key', in: /^core\/(?:pipeline|rate-limit|usage\/place)\.ts$/ },
  'a display name of ClickHouse': { of: 'service', in: /^sql\/chdb\/child\.ts$/ },
  'the record that a test needs, made as a user makes it': { of: 'service', in: /^faces\/sql\/sql-mock\.ts$/ },
  'a resource in which a fault breaks a rule about all': { of: 'service', in: /^faults\/accept-invalid\.ts$/ },
  'another one': { of: 'webhook', in: /^faults\/accept-invalid\.ts$/ },
}

const root = fileURLToPath(new URL('../../', import.meta.url))
const tops = ['mock-server', 'contract-tests', 'fixtures'] as const

/** Test support counts as a test: it may import everything. */
const isTest = (file: string) =>
  /\.(?:test|spec)\.tsx?$|^mock-server\/(?:testing|examples)\/|^contract-tests\/self\//.test(file)

interface Source {
  readonly file: string
  readonly tree: ts.SourceFile
  /** The imported files, including imports of types and imports at run time, and the names of packages. */
  readonly imports: readonly string[]
}

const product: readonly Source[] = tops
  .flatMap(top =>
    readdirSync(`${root}${top}`, { recursive: true, encoding: 'utf8' }).map(name => posix.join(top, name)),
  )
  .filter(file => /\.tsx?$/.test(file) && !isTest(file))
  .concat('cli.ts')
  .map(file => {
    const text = readFileSync(root + file, 'utf8')
    const tree = ts.createSourceFile(file, text, ts.ScriptTarget.Latest, true)
    // preProcessFile finds dynamic imports, but not `export * as name from`.
    const exported = tree.statements
      .filter(ts.isExportDeclaration)
      .flatMap(({ moduleSpecifier }) => moduleSpecifier ?? [])
    const imports = ts
      .preProcessFile(text)
      .importedFiles.map(({ fileName }) => fileName)
      .concat(exported.map(specifier => (specifier as ts.StringLiteral).text))
      .map(name => (name.startsWith('.') ? posix.join(dirname(file), name) : name))
    return { file, imports, tree }
  })

/** The texts in a file that are names of models, outside types. */
function modelNamesIn(tree: ts.Node): string[] {
  if (ts.isTypeNode(tree)) return []
  if (ts.isStringLiteral(tree)) return modelNames.has(tree.text) ? [tree.text] : []
  const inner: string[] = []
  ts.forEachChild(tree, child => void inner.push(...modelNamesIn(child)))
  return inner
}
const modelNames = new Set(core.models.map(({ name }) => name))

const arrows = product.flatMap(({ file, imports }) => imports.map(imported => ({ from: file, to: imported })))
const inside = (top: string) => product.filter(({ file }) => file.startsWith(`${top}/`))
const importing = (top: string, wanted: RegExp) =>
  arrows.filter(({ from, to }) => from.startsWith(`${top}/`) && wanted.test(to)).map(show)

/** An arrow as it is listed among the exceptions. */
function show({ from, to }: { readonly from: string; readonly to: string }) {
  return `${from} -> ${to}`
}

/** The layer of a file, counted from the top: 0 for the entry points of a program, which lie in no room. */
function layerOf(file: string): { readonly top: string; readonly room: string; readonly layer: number } {
  const [top = '', room = '', ...rest] = file.split('/')
  if (rest.length === 0) return { top, room: '', layer: 0 }
  const layer = layers[top as keyof typeof layers].findIndex(rooms => rooms.includes(room)) + 1
  return { top, room, layer }
}

function runsBack({ from, to }: { readonly from: string; readonly to: string }): boolean {
  const [a, b] = [from, to].map(layerOf) as [ReturnType<typeof layerOf>, ReturnType<typeof layerOf>]
  return a.top === b.top && a.room !== b.room && a.layer >= b.layer
}

/** Expects that `found` has exactly the exceptions that `concerns` selects. */
function expectOnlyExceptions(found: readonly string[], concerns: (exception: string) => boolean) {
  expect([...found].sort()).toEqual(Object.keys(exceptions).filter(concerns).sort())
}

const isArrow = (exception: string) => exception.includes(' -> ')
const isVariable = (exception: string) => exception.includes(': let ')

describe('the rooms', () => {
  it('are all listed', () => {
    for (const top of ['mock-server', 'contract-tests'] as const) {
      const rooms = new Set(inside(top).map(({ file }) => layerOf(file).room))
      expect([...rooms].filter(room => room && !layers[top].flat().includes(room))).toEqual([])
    }
  })

  it('import only from rooms below', () => {
    const inHouse = arrows.filter(({ from, to }) =>
      [from, to].every(file => /^(?:mock-server|contract-tests)\//.test(file)),
    )
    expect(inHouse.length).toBeGreaterThan(500)
    expectOnlyExceptions(inHouse.filter(runsBack).map(show), isArrow)
  })

  it('import no family in the core, which is given all of them', () => {
    const named = arrows.filter(({ from, to }) => /^mock-server\/core\//.test(from) && /\/families\//.test(to))
    expect(named.map(({ to }) => to).filter(to => !to.endsWith('families/family.ts'))).toEqual([])
    expect(named.length).toBeGreaterThan(0)
  })

  it('get the contract from what the mock is made of: only its composition root and the command import the value', () => {
    const values = product.filter(({ tree }) =>
      tree.statements.some(
        one =>
          ts.isImportDeclaration(one) &&
          /\/built-contract\/index\.ts$/.test((one.moduleSpecifier as ts.StringLiteral).text) &&
          !one.importClause?.isTypeOnly,
      ),
    )
    const roots = values.map(({ file }) => file).filter(file => file.startsWith('mock-server/'))
    expect(roots.filter(file => !file.startsWith('mock-server/command/'))).toEqual(['mock-server/mock/made-of.ts'])
  })

  it('name no family of the mock outside families/ and where the mock is made', () => {
    const named = arrows.filter(
      ({ from, to }) =>
        !from.startsWith('mock-server/families/') &&
        to.startsWith('mock-server/families/') &&
        to !== 'mock-server/families/family.ts',
    )
    expect(named.map(show)).toEqual(['mock-server/mock/made-of.ts -> mock-server/families/index.ts'])
    const found = product
      .filter(({ file }) => /^mock-server\/(?!families\/|console\/)|^cli\.ts$/.test(file))
      .flatMap(({ file, tree }) => modelNamesIn(tree).map(name => ({ file: file.replace('mock-server/', ''), name })))
    const meanings = Object.values(otherMeanings)
    const isOther = (one: (typeof found)[number], meaning: (typeof meanings)[number]) =>
      meaning.of === one.name && meaning.in.test(one.file)
    expect(found.filter(one => !meanings.some(meaning => isOther(one, meaning)))).toEqual([])
    expect(meanings.filter(meaning => !found.some(one => isOther(one, meaning)))).toEqual([])
  })

  it('import only files that exist', () => {
    const lost = arrows.filter(({ to }) => tops.some(top => to.startsWith(`${top}/`)) && !existsSync(root + to))
    expect(lost.map(show)).toEqual([])
  })

  it('hold at most 25 product files in one folder', () => {
    const counts: Record<string, number> = {}
    for (const { file } of product) counts[dirname(file)] = (counts[dirname(file)] ?? 0) + 1
    expect(Object.entries(counts).filter(([, count]) => count > 25)).toEqual([])
  })

  it('nest the families alike in contract, mock and suite', () => {
    const indexes = [
      'fixtures/contract/families.ts',
      'mock-server/families/index.ts',
      'contract-tests/families/index.ts',
    ]
    const paths = indexes.map(index =>
      arrows
        .filter(({ from, to }) => from === index && to.startsWith(`${dirname(index)}/`))
        .map(({ to }) => to.slice(dirname(index).length + 1).replace(/(?:\/index)?\.ts$/, '')),
    )
    // The family `service` is service/service.ts, or service/index.ts where it has more files.
    const placeOf = (path: string) => [basename(path), dirname(path).replace(basename(path), '.')] as const
    const [contract, ...others] = paths.map(tree => new Map(tree.map(placeOf)))
    const elsewhere = others.flatMap(tree =>
      [...tree].filter(([name, folder]) => contract!.has(name) && contract!.get(name) !== folder),
    )
    expect(elsewhere).toEqual([])
    expect(others.map(tree => [...tree.keys()].filter(name => contract!.has(name)).length > 25)).toEqual([true, true])
  })

  it('keep no state of a call or a world in the variables and collections of a module', () => {
    const variables = product.flatMap(({ file, tree }) =>
      tree.statements.filter(ts.isVariableStatement).flatMap(({ declarationList }) => {
        const isConst = (declarationList.flags & ts.NodeFlags.BlockScoped) === ts.NodeFlags.Const
        return declarationList.declarations
          .filter(({ name, initializer }) => !isConst || isChanged(name.getText(tree), initializer, tree.text))
          .map(({ name }) => `${file}: let ${name.getText(tree)}`)
      }),
    )
    expectOnlyExceptions(variables, isVariable)
  })
})

/** Whether a file calls a method that changes the Map, Set, WeakMap or array of a variable. */
const isChanged = (name: string, value: ts.Expression | undefined, text: string) =>
  value !== undefined &&
  (ts.isNewExpression(value) || ts.isArrayLiteralExpression(value)) &&
  new RegExp(`(?<![\\w.])${name}\\.(?:set|add|delete|clear|push|pop|shift|unshift|splice)\\(`).test(text)

describe('the two programs', () => {
  it('import neither each other nor cli.ts nor the development tools', () => {
    expect(importing('contract-tests', /^(?:mock-server\/|cli\.ts|\.ci\/)/)).toEqual([])
    expect(importing('mock-server', /^(?:contract-tests\/|cli\.ts|\.ci\/)/)).toEqual([])
  })

  it('share only data, and what follows from it: of the fixtures, only the built contract has functions', () => {
    expect(importing('fixtures', /^(?!fixtures\/)/)).toEqual([])
    const isCode = (node: ts.Node) => ts.isClassLike(node) || (ts.isFunctionLike(node) && !ts.isTypeNode(node))
    const holdsCode = (node: ts.Node): boolean => isCode(node) || (ts.forEachChild(node, holdsCode) ?? false)
    const withCode = inside('fixtures').filter(({ tree }) => holdsCode(tree))
    expect([...new Set(withCode.map(({ file }) => dirname(file)))]).toEqual(['fixtures/built-contract'])
  })
})

describe('the mock', () => {
  /** The core and the rooms below it run in a browser. */
  const core = layers['mock-server'].findIndex(rooms => rooms.includes('core'))
  const rooms = layers['mock-server'].slice(core).flat()
  // The build puts the generated parsers in the place of parsers.ts.
  const isReplaced = (file: string) => file === 'mock-server/telemetry/query/parsers.ts'
  const browser = product
    .filter(({ file }) => !isReplaced(file))
    .filter(({ file }) => rooms.some(room => file.startsWith(`mock-server/${room}/`)))

  it('uses no Node API in the core and the rooms below it, so that they run in a browser', () => {
    expect(
      browser.flatMap(({ file, imports }) =>
        imports.filter(name => /^node:/.test(name)).map(name => `${file} -> ${name}`),
      ),
    ).toEqual([])
    const words = /\b(?:Buffer|process)\b\s*[.(]/
    expect(browser.filter(({ tree }) => words.test(tree.text)).map(({ file }) => file)).toEqual([])
  })

  it('imports @mswjs/data in one file only', () => {
    expect(importing('mock-server', /^@mswjs\/data/)).toEqual(['mock-server/world/administrative.ts -> @mswjs/data'])
  })
})
