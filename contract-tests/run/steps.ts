import type { Contract, Form } from '../../fixtures/built-contract/index.ts'
import { cached } from '../engine/cached.ts'
import { onceFor } from '../engine/contract.ts'
import type { Step } from '../engine/step.ts'
import { chartSteps } from '../visits/charts.ts'
import { cloudSteps } from '../visits/cloud.ts'
import { documentSteps } from '../visits/document.ts'
import { observabilitySteps } from '../visits/observability.ts'
import { withProbes } from '../visits/probes.ts'
import { plainReads } from '../visits/reading.ts'
import { familySteps } from './checks.ts'

const stepsBy = onceFor(contract =>
  cached((form: Form): ReadonlyMap<string, Step> => {
    const visits = [
      ...(form === 'cloud' ? cloudSteps(contract) : observabilitySteps(form, contract)),
      ...(form === 'selfHosted' ? chartSteps(contract) : []),
      ...familySteps(form, contract),
    ]
    const all = [...visits, ...plainReads(form, visits, contract), ...documentSteps(form, contract, visits)]
    return new Map(withProbes(form, all, contract).map(step => [step.name, step]))
  }),
)

/** The steps follow from the contract alone, so they are made once. */
export const stepsOf = (form: Form, contract?: Contract): ReadonlyMap<string, Step> => stepsBy(contract)(form)
