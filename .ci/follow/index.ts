import { execFileSync } from 'node:child_process'
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { parseDocument } from '../../contract-tests/run/document/parse-document.ts'
import { contract } from '../../fixtures/built-contract/index.ts'
import { layOver } from '../../fixtures/built-contract/lay-over.ts'
import { readDocument } from '../../fixtures/built-contract/read-document.ts'
import { canMatch, isKept } from '../../fixtures/built-contract/terms.ts'
import { listDecisions, listOperations } from './decisions.ts'
import { renderDocument, stripDocument } from './strip-document.ts'

/** `npm run follow -- FILE`: takes over a newer document of the vendor, and prints what is left to decide. */

const [file] = process.argv.slice(2)
if (file === undefined || file.startsWith('-')) {
  process.stderr.write('npm run follow -- FILE: name an OpenAPI document (JSON or YAML) of the vendor.\n')
  process.exit(2)
}
const root = new URL('../../', import.meta.url)
const write = (path: string, text: string) => writeFileSync(new URL(path, root), text)
const given = parseDocument(readFileSync(file, 'utf8'))
const document = readDocument(given)
const hasModel = (resource: string) => `${resource}.get` in contract.operations
const laid = layOver(contract, document, { stays: isKept, canMatch, hasModel })

const api = document.forms.includes('selfHosted') ? 'self-hosted' : 'cloud'
write(`fixtures/documents/${api}.openapi.json`, renderDocument(stripDocument(given)))
if (api === 'cloud') {
  const path = 'fixtures/documents/cloud-operations.tsv'
  const [remark = '', ...known] = readFileSync(new URL(path, root), 'utf8').split('\n')
  write(path, `${[remark, ...listOperations(given as never, known)].join('\n')}\n`)
}
for (const script of ['types', 'rules']) execFileSync('npm', ['run', '-s', script], { cwd: root, stdio: 'inherit' })

const files = readdirSync(new URL('fixtures/contract/', root), { encoding: 'utf8', recursive: true })
  .filter(name => name.endsWith('.ts'))
  .map(name => `fixtures/contract/${name}`)
  .map(path => ({ path, text: readFileSync(fileURLToPath(new URL(path, root)), 'utf8') }))
const decisions = listDecisions(laid, files)
process.stdout.write(decisions.map(line => `${line}\n`).join(''))
process.stdout.write(
  `${decisions.length} to decide. Written: the document without prose, its list of operations, types and RULES.md.\n`,
)
process.exit(decisions.length === 0 ? 0 : 1)
