import { existsSync, readdirSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { Ajv2020 } from 'ajv/dist/2020.js'
import schema from '../../fixtures/schemas/usage.schema.json' with { type: 'json' }
import type { Usage } from '../../fixtures/usage.ts'
import { isObject } from '../engine/recognise.ts'
import { UsageError } from '../engine/target/target.ts'
import type { DocumentOperation } from '../run/document/read-document.ts'
import { callsOfHar } from '../run/usage/calls-of-har.ts'
import type { CommandContext } from './command.ts'
import { readBeside, readJson } from './files.ts'

/** What the files of `--used-by` hold together. */
export interface UsageFiles {
  readonly usage: Usage
  /** The files that the workers of a test run wrote beside the named ones. */
  readonly parts: readonly string[]
  /** The number of recorded entries that are no operations of the contract or of the documents. */
  readonly others: number
}

/**
 * Reads usage files and recordings (HAR), and the parts that test runs left beside them. A file that only has parts need not
 * exist. `documented` are operations that recordings may have besides those of the contract.
 * @throws UsageError if one cannot be read.
 */
export async function readUsageFiles(
  option: string,
  files: readonly string[],
  context: Pick<CommandContext, 'usageTools'>,
  documented: readonly DocumentOperation[] = [],
): Promise<UsageFiles> {
  const { createUsage, mergeUsages } = await context.usageTools()
  const isUsage = new Ajv2020({ strict: false }).compile<Usage>(schema)
  let others = 0
  const read = (file: string) =>
    readJson(option, file, (value): Usage => {
      if (isUsage(value)) return value
      if (isObject(value) && isObject(value.log)) {
        const recorded = callsOfHar(value, basename(file), documented, readBeside(file))
        others += recorded.others
        const usage = createUsage()
        for (const call of recorded.calls) usage.add(call)
        return usage.read()
      }
      const [error] = isUsage.errors ?? []
      throw new UsageError(
        `it is neither a usage file nor a recording (HAR): ${error?.instancePath || 'the file'} ${error?.message}.`,
      )
    })
  const parts = files.flatMap(partsOf)
  const named = files.filter(file => existsSync(file) || partsOf(file).length === 0)
  return { usage: mergeUsages([...named, ...parts].map(read)), parts, others }
}

const partsOf = (file: string): readonly string[] =>
  listFolder(file)
    .filter(name => name.startsWith(`${basename(file)}.`) && name.endsWith('.part'))
    .sort()
    .map(name => join(dirname(file), name))

function listFolder(file: string): readonly string[] {
  try {
    return readdirSync(dirname(file))
  } catch {
    return []
  }
}
