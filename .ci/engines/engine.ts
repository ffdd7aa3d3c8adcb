import { spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

/** ClickHouse as a library. It is no dependency because of its 566 MB: it is installed on demand. */
const library = 'chdb@3.4.0'

/** With ENGINES_FOLDER, several checkouts share one installation. */
const folder =
  process.env.ENGINES_FOLDER ?? fileURLToPath(new URL('../../node_modules/.cache/engines', import.meta.url))

/** A ClickHouse in this process with a temporary folder. It blocks the process while it answers. */
export interface Engine {
  /** Runs a statement and returns its output; throws an Error with the message of the engine. */
  run(sql: string, format?: string): string
  close(): void
}

interface Library {
  readonly Session: new (path: string) => { query(sql: string, format?: string): string; cleanup(): void }
}

/** Installs the library if it is missing, and starts it. */
export function startEngine(): Engine {
  install()
  const { Session } = createRequire(join(folder, 'package.json'))('chdb') as Library
  const data = mkdtempSync(join(tmpdir(), 'engine-'))
  const session = new Session(data)
  return {
    run(sql, format = 'JSON') {
      try {
        return session.query(sql, format)
      } catch (error) {
        throw new Error((error as Error).message.replace(/^Query failed: /, ''))
      }
    },
    close() {
      session.cleanup()
      rmSync(data, { recursive: true, force: true })
    },
  }
}

function install() {
  const stamp = join(folder, `installed-${library}`)
  if (existsSync(stamp)) return
  process.stderr.write(`Installing ${library} (566 MB) into ${folder}\n`)
  mkdirSync(folder, { recursive: true })
  writeFileSync(join(folder, 'package.json'), '{ "private": true }\n')
  const options = ['--prefix', folder, '--ignore-scripts', '--no-audit', '--no-fund', '--no-package-lock']
  const { status, stderr } = spawnSync('npm', ['install', ...options, library], { encoding: 'utf8' })
  if (status !== 0) throw new Error(`install ${library}: npm ended with ${status}: ${stderr.trim()}`)
  writeFileSync(stamp, '')
}
