import { judgeMutants } from './judge-mutants.ts'

judgeMutants('managed')
