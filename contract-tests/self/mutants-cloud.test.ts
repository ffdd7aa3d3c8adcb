import { judgeMutants } from './judge-mutants.ts'

judgeMutants('cloud')
