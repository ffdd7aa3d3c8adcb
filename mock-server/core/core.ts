import type { Contract, OperationId, ResourceId, RuleId } from '../../fixtures/built-contract/index.ts'
import type { Family, Handler, Stacks } from '../families/family.ts'
import type { Fault } from '../faults/fault.ts'
import { deriveFaults } from '../faults/lifecycle.ts'
import type { BodyRules } from '../fields/judge.ts'
import type { AnyModel } from '../world/collection.ts'
import { withFields } from '../world/record.ts'
import { type Additions, changedFields, findAdditions } from './additions.ts'

/** What a mock is made of: a contract, and what all families together have. Its worlds share it. */
export interface Core {
  readonly contract: Contract
  readonly families: Readonly<Record<string, Family>>
  /** The document of the user that was laid over the contract, if one was. */
  readonly document?: CoreDocument
  readonly models: readonly AnyModel[]
  /** By operation: the fields that a document of the user adds; empty without one. */
  readonly additions: Additions
  readonly handlers: Readonly<Record<OperationId, Handler>>
  readonly faults: Readonly<Record<RuleId, () => Fault>>
  readonly judgedByFamily: ReadonlySet<OperationId>
  readonly rulesOfBodies: { readonly [Name in ResourceId]?: BodyRules }
  /** By operation: what reads the fields that a PATCH omits, and what makes refusals of another shape. */
  readonly unsent: NonNullable<Family['unsent']>
  readonly refusals: NonNullable<Family['refusals']>
  readonly credentials: NonNullable<Family['credentials']>
  readonly refusalsBelow: NonNullable<Family['refusalsBelow']>
  readonly beforeActivities: readonly NonNullable<Family['beforeActivities']>[]
  readonly log: NonNullable<Family['log']>
  readonly consoleLists: NonNullable<Family['consoleLists']>
  readonly gapsOfPaths: NonNullable<Family['gapsOfPaths']>
  readonly splits: NonNullable<Family['splits']>
  readonly target: Family['target']
  readonly sql: Family['sql']
  readonly evaluateAlerts: Family['evaluateAlerts']
  readonly openStacks: NonNullable<Family['openStacks']>
}

export interface CoreDocument {
  /** Its title and version, and what tells it from another one of the same version. */
  readonly name: string
  /** What it says otherwise than better sources, whose word stays: sentences by operation or resource. */
  readonly disagreements: ReadonlyMap<string, string>
}

type Parts = Pick<Core, 'contract' | 'families' | 'document'>

export function createCore({ contract, families, document }: Parts): Core {
  const all = Object.values(families)
  const merge = <Value>(value: (family: Family) => object | undefined, ...before: readonly object[]): Value =>
    Object.assign({}, ...before, ...all.map(value))
  const models = all.flatMap(({ models = [] }) => models)
  const additions = findAdditions(contract, models)
  return {
    contract,
    families,
    document,
    models: models.map(model => {
      const fields = changedFields(contract, model, additions)
      return Object.keys(fields).length === 0 ? model : { ...model, record: withFields(model.record, fields) }
    }),
    additions,
    handlers: merge(({ handlers }) => handlers),
    // A fault of a family replaces the one that follows from the id of the rule.
    faults: merge(({ faults }) => faults, deriveFaults(contract)),
    judgedByFamily: new Set(all.flatMap(({ judgesBodies = [] }) => judgesBodies)),
    rulesOfBodies: merge(({ bodies }) => bodies),
    unsent: merge(({ unsent }) => unsent),
    refusals: merge(({ refusals }) => refusals),
    credentials: merge(({ credentials }) => credentials),
    refusalsBelow: merge(({ refusalsBelow }) => refusalsBelow),
    beforeActivities: all.flatMap(({ beforeActivities = [] }) => beforeActivities),
    consoleLists: merge(({ consoleLists }) => consoleLists),
    gapsOfPaths: all.flatMap(({ gapsOfPaths = [] }) => gapsOfPaths),
    splits: merge(({ splits }) => splits),
    target: all.find(({ target }) => target)?.target,
    sql: all.find(({ sql }) => sql)?.sql,
    evaluateAlerts: all.find(({ evaluateAlerts }) => evaluateAlerts)?.evaluateAlerts,
    openStacks: all.find(({ openStacks }) => openStacks)?.openStacks ?? openNoStacks,
    log: all.find(({ log }) => log)?.log ?? (() => {}),
  }
}

function openNoStacks(): Stacks {
  const refuse = (id: string) => {
    throw new Error(`open the stack ${id}: no family of this mock has stacks`)
  }
  return {
    stackOf: refuse,
    peekAtStack: refuse,
    stackIds: () => [],
    hasStack: () => false,
    openStacks: () => [],
    generateTelemetry: refuse,
    rowsInMemory: () => 0,
    freeRows: () => {},
  }
}
