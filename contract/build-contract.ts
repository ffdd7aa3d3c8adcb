import type {
  Basis,
  ContractFamily,
  Field,
  Fields,
  Gap,
  GapId,
  Group,
  Operation,
  OperationId,
  Resource,
  ResourceId,
  Rule,
  RuleId,
  Sentence,
} from '../fixtures/contract/index.ts'

/**
 * The contract as one value: what the specification and the vendor's documents state, and what they leave open. A contract
 * that is made of other families, or of another document, may have further ids than those of the types.
 */
export interface Contract {
  readonly resources: Readonly<Record<ResourceId, Resource>>
  readonly operations: Readonly<Record<OperationId, Operation>>
  /** The family of each operation. */
  readonly familyOf: Readonly<Record<OperationId, string>>
  /** The group of each operation of the cloud API. */
  readonly groups: Readonly<Partial<Record<OperationId, Group>>>
  /** The rules: `must`, `should` and `documented`. Every rule has a check in the suite and a fault in the mock. */
  readonly rules: Readonly<Record<RuleId, Rule>>
  /** The questions that the specification leaves open. The suite observes every gap; the mock takes one choice. */
  readonly gaps: Readonly<Record<GapId, Gap>>
  /** The specification, sentence by sentence, each with the rules and gaps that cover it. */
  readonly sentences: readonly Sentence[]
}

type Entries<Value> = Readonly<Record<string, Value>>

/** Adds what follows from the entries of families: paths, methods, results, and the rules of answers and life cycles. */
export function buildContract(families: Entries<ContractFamily>): Contract {
  // Sorted by name: the order of the exports of a namespace differs between tools.
  const named = Object.entries(families).toSorted(([a], [b]) => (a < b ? -1 : 1))
  const sorted = named.map(([, family]) => family)
  const operations: Entries<Operation> = Object.fromEntries(sorted.flatMap(operationsOf))
  const idsOf = <Value>(value: (name: string, family: ContractFamily) => Value | undefined) =>
    named.flatMap(([name, family]) => {
      const own = value(name, family)
      return own === undefined ? [] : Object.keys(family.operations ?? {}).map(id => [id, own] as const)
    })
  return {
    resources: Object.fromEntries(sorted.flatMap(resourcesOf)) as Contract['resources'],
    operations: operations as Contract['operations'],
    familyOf: Object.fromEntries(idsOf(name => name)) as Contract['familyOf'],
    groups: Object.fromEntries(idsOf((_, { defaults }) => defaults?.group)),
    rules: Object.fromEntries(sorted.flatMap(family => rulesOf(family, operations))) as Contract['rules'],
    gaps: Object.fromEntries(sorted.flatMap(gapsOf)) as Contract['gaps'],
    sentences: sorted.flatMap(sentencesOf),
  }
}

const resourcesOf = ({ resources = {}, defaults }: ContractFamily) =>
  Object.entries(resources).map(([id, own]) => {
    const { basis, ...resource } = { section: '4.1', ...defaults?.resource, ...own }
    const fields = Object.entries(own.fields).map(([name, field]) => [name, basis ? { basis, ...field } : field])
    return [id, { ...resource, fields: Object.fromEntries(fields) }] as const
  })

/** By the verb of an operation: its method and the type of its result, which is `object` by default. */
const byVerb: Entries<{ method: Operation['method']; resultType?: Operation['result']['type'] }> = {
  list: { method: 'GET', resultType: 'array' },
  get: { method: 'GET' },
  create: { method: 'POST' },
  update: { method: 'PATCH' },
  replace: { method: 'PUT' },
  delete: { method: 'DELETE', resultType: 'nothing' },
}

/** The fields of the query string that ask for a page. */
const limit: Field = {
  type: 'number',
  optional: true,
  multipleOf: 1,
  min: 1,
  description: 'How many records a page has at most.',
}
const pagePositions = {
  cursor: { type: 'string', optional: true, description: 'The `nextCursor` of the previous page.' },
  offset: {
    type: 'number',
    optional: true,
    multipleOf: 1,
    min: 0,
    description: 'How many records come before the page.',
  },
} as const satisfies Fields

const operationsOf = ({ operations = {}, defaults = {} }: ContractFamily) =>
  Object.entries(operations).map(([id, { subpath, paths = defaults.paths ?? {}, ...own }]) => {
    const [resource, verb] = id.split('.') as [string, string]
    const namesRecord = ['get', 'update', 'replace', 'delete'].includes(verb) && paths === defaults.paths
    const pathEnd = subpath ?? ((namesRecord && defaults.recordPath) || '')
    const { method = byVerb[verb]?.method } = own
    const type = byVerb[verb]?.resultType ?? 'object'
    const defaultsOfMethod = method === 'GET' ? { effect: 'none', ...defaults.read } : (defaults.write ?? {})
    const loggedActivity = own.loggedActivity ?? defaultsOfMethod.loggedActivity
    const operation = {
      method,
      paths: Object.fromEntries(Object.entries(paths).map(([form, path]) => [form, `${path}${pathEnd}`])),
      result: type === 'nothing' ? { type } : { type, resource },
      ...(defaults.operation ?? { section: '4.1', basis: 'documented' }),
      // Shown by the specification: without a basis, an operation counts as stated.
      ...(own.shownForms && { basis: undefined }),
      ...defaultsOfMethod,
      ...own,
      ...(loggedActivity && { activities: [loggedActivity] }),
      ...(own.page && {
        query: {
          ...own.query,
          limit: own.page.isCapped ? limit : { ...limit, max: own.page.maxSize },
          [own.page.by]: pagePositions[own.page.by],
        },
      }),
    }
    return [id, operation as Operation] as const
  })

/** The rules of a family: those that follow from its operations, and its own, which may replace them. */
function rulesOf({ operations: own = {}, rules = {}, defaults }: ContractFamily, operations: Entries<Operation>) {
  const derived = Object.fromEntries(Object.keys(own).flatMap(id => derivedRules(id, operations[id]!, own)))
  const ownRules = Object.entries(rules).map(([id, rule]) => {
    const base = derived[id] ?? defaults?.rule ?? { section: '4.1', level: 'documented', forms: ['cloud'] }
    return [id, { ...base, ...(typeof rule === 'string' ? { sentence: rule } : rule) }] as const
  })
  return [...Object.entries(derived), ...ownRules]
}

/** The level of a derived rule: must for a shown operation, should for one that the specification lists, else documented. */
function derivedRules(
  id: string,
  { answersRule, basis, description, paths, section, shownForms }: Operation,
  own: object,
) {
  const [resource, verb] = id.split('.')
  const levelUnlessShown = basis ? 'documented' : 'should'
  const level = shownForms ? 'must' : levelUnlessShown
  const hasLife = verb === 'delete' && ['create', 'list', 'get'].every(other => `${resource}.${other}` in own)
  const life = {
    'created-is-listed': `${resource}.list lists what ${resource}.create created.`,
    'created-is-got': `${resource}.get answers what ${resource}.create created.`,
    'deleted-is-gone': `${resource}.get and ${resource}.list eventually no longer answer what ${resource}.delete deleted.`,
  }
  const claims = {
    ...(answersRule === undefined && { [`${verb}-answers`]: `${id} answers with success. ${description}` }),
    ...(hasLife && life),
  }
  return Object.entries(claims).map(
    ([claim, sentence]) =>
      [`${resource}/${claim}`, { section, level, forms: Object.keys(paths), sentence } as Rule] as const,
  )
}

const kinds = ['refusal', 'choice', 'shape'] as const
const bases: readonly Basis[] = ['stated', 'implied', 'documented', 'observed', 'inferred', 'invented']

const gapsOf = ({ gaps = {}, defaults }: ContractFamily) =>
  Object.entries(gaps).map(([id, gap]) => {
    const kind = kinds.find(kind => gap[kind])!
    const basis = bases.find(basis => gap[basis])!
    const choices = gap[kind]!
    const { question, default: defaultChoice = choices[0], breaks } = gap
    const { section, forms } = { ...(defaults?.gap ?? { section: '4.1', forms: ['cloud'] }), ...gap }
    const reason = gap[basis]
    return [id, { section, forms, kind, question, choices, default: defaultChoice, reason, basis, breaks }] as const
  })

const sentencesOf = ({ sentences = {} }: ContractFamily) =>
  Object.entries(sentences).flatMap(([section, own]) =>
    Object.entries(own).map(([sentence, heldBy]) => ({ section, sentence, heldBy })),
  )
