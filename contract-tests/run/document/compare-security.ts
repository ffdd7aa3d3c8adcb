import { isObject } from '../../engine/recognise.ts'
import type { Documents, Pair } from './compare-operations.ts'
import type { Change } from './compare-schemas.ts'
import type { Description, Shown } from './read-document.ts'

/** The ways to be let in: the schemes of each, and the scopes that a client needs beside them. */
interface SecurityOption {
  readonly schemes: string
  readonly scopes: readonly string[]
}

/** Compares who may call an operation: schemes of authentication, and scopes where both documents have them. */
export function* compareSecurity({ id, was, is }: Pair, documents: Documents): Generator<Change> {
  const [before, after] = [waysOf(was, documents.was), waysOf(is, documents.is)]
  const at = { side: 'operation', place: id } as const
  // Credentials change for all operations alike, as a rule: that is one difference.
  const all = { side: 'operation', place: 'credentials' } as const
  const names = (ways: readonly SecurityOption[]) =>
    [...new Set(ways.map(({ schemes }) => schemes))].sort().join(' or ')
  const [old, now] = [names(before), names(after)]
  if (old !== now) {
    const isGone = before.some(way => !after.some(({ schemes }) => schemes === way.schemes))
    // Section 5: no operation goes without credentials.
    const isOpen = after.some(({ schemes }) => schemes === NONE)
    yield { ...all, what: 'security', kind: isGone || isOpen ? 'breaking' : 'additive', was: old, is: now }
    return
  }
  if (!documents.was.hasScopes || !documents.is.hasScopes) return
  const scopes = (ways: readonly SecurityOption[]) => new Set(ways.flatMap(way => way.scopes))
  const [needed, needs] = [scopes(before), scopes(after)]
  const more = [...needs].filter(scope => !needed.has(scope))
  const fewer = [...needed].filter(scope => !needs.has(scope))
  if (more.length > 0) yield { ...at, what: 'scope-new', kind: 'breaking', is: more }
  if (fewer.length > 0) yield { ...at, what: 'scope-gone', kind: 'additive', was: fewer }
}

const NONE = 'none'

function waysOf({ operation }: Shown, { document, references }: Description): readonly SecurityOption[] {
  const { components } = document
  const declared = isObject(components) && isObject(components.securitySchemes) ? components.securitySchemes : {}
  const spell = (name: string) => {
    const scheme = references.resolve(declared[name])
    if (!isObject(scheme)) return 'undeclared'
    const { type, scheme: word, in: place, name: key } = scheme
    return [type, ...(type === 'http' ? [String(word).toLowerCase()] : [place, key])].filter(Boolean).join(' ')
  }
  const given = operation.security ?? document.security
  const listed = Array.isArray(given) ? given.filter(isObject) : []
  return (listed.length > 0 ? listed : [{}]).map(way => ({
    schemes: Object.keys(way).map(spell).sort().join(' and ') || NONE,
    scopes: Object.values(way).flatMap(scopes => (Array.isArray(scopes) ? scopes.map(String) : [])),
  }))
}
