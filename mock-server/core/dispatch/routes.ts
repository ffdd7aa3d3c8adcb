import type { Contract, Edition, Form, Operation, OperationId } from '../../../fixtures/built-contract/index.ts'
import type { ChoicesInForce } from '../../gaps/choices.ts'
import type { Listener } from '../../words/call.ts'
import { parametersOf } from '../../words/parameters-of.ts'
import { createDispatch } from './dispatch.ts'
import { isOffered, type Offer } from './offer.ts'

export interface Route {
  readonly form: Form
  readonly operation: OperationId
  readonly method: string
  readonly path: string
  readonly ids: readonly string[]
}

const formsOf: Readonly<Record<Listener, readonly Form[]>> = { cloud: ['cloud', 'managed'], selfHosted: ['selfHosted'] }

export function listRoutes(
  contract: Contract,
  listener: Listener,
  choices: ChoicesInForce,
  managedSegment: string,
  offer?: readonly Offer[],
): readonly Route[] {
  return (Object.entries(contract.operations) as [OperationId, Operation][]).flatMap(([id, operation]) =>
    formsOf[listener].flatMap(form => {
      const path = pathOf(operation, form, choices)
      if (path === undefined || !isServed(id, operation, form, choices) || !isOffered(contract, id, form, offer))
        return []
      const method = operation.method === 'PUT' ? choices[form][`${id.split('.')[0]}/update-method`] : undefined
      const servedPath = path.replace('{segment}', managedSegment)
      return {
        form,
        operation: id,
        method: method ?? operation.method,
        path: servedPath,
        ids: parametersOf(servedPath),
      }
    }),
  )
}

/** The path of an operation in a form. Some deployments have webhooks where the specification has none. */
export const pathOf = (
  { paths, pathsBeyondSpecification }: Operation,
  form: Form,
  choices: ChoicesInForce,
): string | undefined =>
  paths[form] ?? (choices[form]['webhook/managed-form'] === 'present' ? pathsBeyondSpecification?.[form] : undefined)

function isServed(id: OperationId, { editions }: Operation, form: Form, choices: ChoicesInForce): boolean {
  if (id === 'description.get') return choices.cloud['version/description'] === 'served'
  return editions === undefined || editions.includes(editionOf(choices, form))
}

export const editionOf = (choices: ChoicesInForce, form: Form) =>
  choices[form === 'cloud' ? 'managed' : form]['version/self-hosted-edition'] as Edition

export interface Routing {
  readonly choices: ChoicesInForce
  readonly routes: Readonly<Record<Listener, readonly Route[]>>
  readonly dispatch: Readonly<Record<Listener, ReturnType<typeof createDispatch>>>
}

export function createRouting(
  contract: Contract,
  choices: ChoicesInForce,
  managedSegment: string,
  offer?: readonly Offer[],
): Routing {
  const cloud = listRoutes(contract, 'cloud', choices, managedSegment, offer)
  const selfHosted = listRoutes(contract, 'selfHosted', choices, managedSegment)
  return {
    choices,
    routes: { cloud, selfHosted },
    dispatch: {
      cloud: createDispatch(contract, cloud, choices, managedSegment),
      selfHosted: createDispatch(contract, selfHosted, choices, managedSegment),
    },
  }
}
