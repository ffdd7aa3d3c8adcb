import * as families from '../fixtures/contract/families.ts'
import { buildContract } from './build-contract.ts'

/** The contract of this package: what both programs hold to unless they are given another one. */
export const contract = buildContract(families)
export const { familyOf, gaps, groups, operations, resources, rules, sentences } = contract

export type * from '../fixtures/contract/index.ts'
export { buildContract, type Contract } from './build-contract.ts'
