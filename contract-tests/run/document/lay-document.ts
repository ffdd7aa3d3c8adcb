import { type Contract, contract } from '../../../fixtures/built-contract/index.ts'
import { layOver } from '../../../fixtures/built-contract/lay-over.ts'
import { readDocument } from '../../../fixtures/built-contract/read-document.ts'
import { canMatch, isKept } from '../../../fixtures/built-contract/terms.ts'
import { UsageError } from '../../engine/target/target.ts'

/**
 * The contract with a vendor's OpenAPI document laid over it, as the mock lays it: what a run with `--document` judges by.
 * @throws UsageError with the place of what cannot be read.
 */
export function layDocument(document: unknown): Contract {
  const hasModel = (resource: string) => `${resource}.get` in contract.operations
  try {
    return layOver(contract, readDocument(document), { stays: isKept, canMatch, hasModel }).contract
  } catch (error) {
    throw new UsageError((error as Error).message)
  }
}
