import type { Mutant } from './mutant.ts'
import { administrativeMutants } from './mutants/administrative.ts'
import { authenticationMutants } from './mutants/authentication.ts'
import { backupMutants } from './mutants/backup.ts'
import { documentMutants } from './mutants/documents.ts'
import { envelopeMutants } from './mutants/envelope.ts'
import { errorMutants } from './mutants/errors.ts'
import { isolationMutants } from './mutants/isolation.ts'
import { memberMutants } from './mutants/member.ts'
import { serviceMutants } from './mutants/service.ts'

/** Deployments that break one rule each, as values: every rule in each of its forms, also in ways that are easily overlooked. */
export const mutants: readonly Mutant[] = [
  ...serviceMutants,
  ...envelopeMutants,
  ...errorMutants,
  ...memberMutants,
  ...backupMutants,
  ...documentMutants,
  ...authenticationMutants,
  ...isolationMutants,
  ...administrativeMutants,
]

export type { Mutant } from './mutant.ts'
