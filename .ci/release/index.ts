/**
 * Makes a release of the current commit, and stops at the first error. Without --publish, nothing is sent anywhere.
 * Publishing requires a CI with an identity token; `../README.md` has the job.
 */
import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { readProgramOptions } from '../read-program-options.ts'
import { listObstacles } from './obstacles.ts'
import { pack } from './pack.ts'
import { describeBundles } from './sbom.ts'
import { tryPackage } from './try-package.ts'

const root = fileURLToPath(new URL('../..', import.meta.url))
const into = join(root, 'reports/release')
const run = (folder: string, command: string, ...args: readonly string[]) =>
  execFileSync(command, args, { cwd: folder, stdio: 'inherit' })
const git = (...args: readonly string[]) => execFileSync('git', args, { cwd: root, encoding: 'utf8' }).trim()

async function release(publish: boolean, test: boolean) {
  if (publish && !test) throw new Error('--publish requires the tests: omit --skip-tests.')
  const { toRelease, toPublish } = listObstacles({
    manifest: JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')),
    changelog: readFileSync(join(root, 'CHANGELOG.md'), 'utf8'),
    changes: git('status', '--porcelain'),
    tags: git('tag', '--points-at', 'HEAD').split('\n'),
    env: process.env,
  })
  const obstacles = publish ? [...toRelease, ...toPublish] : toRelease
  if (obstacles.length > 0) throw new Error(obstacles.join('\n'))
  for (const obstacle of toPublish) console.log(`Before it is published: ${obstacle}`)

  const folder = mkdtempSync(join(tmpdir(), 'stack-parity-release-'))
  try {
    const once = checkOut(join(folder, 'once'))
    const packed = await pack(once, folder)
    const again = await pack(checkOut(join(folder, 'twice')), join(folder, 'twice'))
    if (packed.integrity !== again.integrity) throw new Error('Two builds of one commit are not the same bytes.')

    if (test) run(once, 'npm', 'test')
    await tryPackage(packed.file)

    const name = basename(packed.file, '.tgz')
    const results = {
      [`${name}.tgz`]: readFileSync(packed.file),
      [`${name}.cdx.json`]: `${JSON.stringify(describeBundles(once), null, 2)}\n`,
    }
    const sum = (content: string | Buffer) => createHash('sha256').update(content).digest('hex')
    const sums = Object.entries(results).map(([file, content]) => `${sum(content)}  ${file}\n`)
    rmSync(into, { recursive: true, force: true })
    mkdirSync(into, { recursive: true })
    for (const [file, content] of Object.entries({ ...results, SHA256SUMS: sums.join('') })) {
      writeFileSync(join(into, file), content)
    }
    console.log(`\n${into}, made with Node ${process.version}:\n${sums.join('')}${packed.integrity}`)
    // npm publish also prints the list of files.
    run(into, 'npm', 'publish', `./${name}.tgz`, '--access', 'public', publish ? '--provenance' : '--dry-run')
  } finally {
    rmSync(folder, { recursive: true })
  }
}

/** Makes a clean checkout of the commit in another folder, with the dependencies of the lock file. */
function checkOut(folder: string): string {
  run(root, 'git', 'clone', '--quiet', root, folder)
  run(folder, 'npm', 'ci', '--ignore-scripts')
  return folder
}

const values = readProgramOptions('release', {
  publish: { description: 'publish to the registry; requires a CI with an identity token', isSwitch: true },
  'skip-tests': { description: 'for a trial; not with --publish', isSwitch: true },
})
try {
  await release(values.publish, !values['skip-tests'])
} catch (error) {
  console.error(`Nothing was released: ${(error as Error).message}`)
  process.exitCode = 1
}
