import type { Contract, OperationId, ResourceId, RuleId } from '../../fixtures/built-contract/index.ts'
import type { Family, Handler, Stacks } from '../families/family.ts'
import type { Fault } from '../faults/fault.ts'
import { deriveFaults } from '../faults/lifecycle.ts'
import type { BodyRules } from '../fields/judge.ts'
import type { AnyModel } from '../world/collection.ts'
import { withFields } from '../world/record.ts'
import { type Additions, changedFields, findAdditions } from './additions.ts'

/** What a mock is made of: a contract, and what all families together have. Its worlds share it. */
type Tables = 'unsent' | 'refusals' | 'credentials' | 'refusalsBelow' | 'consoleLists' | 'splits'

export interface Core
  extends Pick<Family, 'target' | 'sql' | 'evaluateAlerts'>,
    Required<Pick<Family, Tables | 'gapsOfPaths' | 'log' | 'openStacks'>> {
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
  readonly beforeActivities: readonly NonNullable<Family['beforeActivities']>[]
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
  const merge = <Value>(part: keyof Family, before?: object): Value =>
    Object.assign({}, before, ...all.map(family => family[part]))
  const first = <Part extends keyof Family>(part: Part) => all.find(family => family[part])?.[part]
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
    handlers: merge('handlers'),
    // A fault of a family replaces the one that follows from the id of the rule.
    faults: merge('faults', deriveFaults(contract)),
    judgedByFamily: new Set(all.flatMap(({ judgesBodies = [] }) => judgesBodies)),
    rulesOfBodies: merge('bodies'),
    unsent: merge('unsent'),
    refusals: merge('refusals'),
    credentials: merge('credentials'),
    refusalsBelow: merge('refusalsBelow'),
    beforeActivities: all.flatMap(({ beforeActivities = [] }) => beforeActivities),
    consoleLists: merge('consoleLists'),
    gapsOfPaths: all.flatMap(({ gapsOfPaths = [] }) => gapsOfPaths),
    splits: merge('splits'),
    target: first('target'),
    sql: first('sql'),
    evaluateAlerts: first('evaluateAlerts'),
    openStacks: first('openStacks') ?? openNoStacks,
    log: first('log') ?? (() => {}),
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
