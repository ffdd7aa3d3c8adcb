import { curlLine } from './curl.ts'
import { countOf, describeDrift } from './outline.ts'
import { type Drift, type DriftProof, type DriftUse, isUsed, type Report } from './report.ts'
import { shorten } from './visible.ts'

/** Differences that concern the user, and those that touch nothing that is used. */
export const divideByUse = (drift: readonly Drift[]): { own: readonly Drift[]; others: readonly Drift[] } => ({
  own: drift.filter(isUsed),
  others: drift.filter(one => !isUsed(one)),
})

/** The uses that differences touch, as sentences; the last one counts those beyond `most`. */
export function describeUses(drift: readonly Drift[], most = Number.POSITIVE_INFINITY): readonly string[] {
  const sentences = [...new Set(drift.flatMap(({ usedBy = [] }) => usedBy.map(describeUse)))]
  const more = sentences.length - most
  return more > 0 ? [...sentences.slice(0, most), `and ${more} more`] : sentences
}

/** `key.create $.name, 12 calls, as in keys.test.ts > makes a key. Send … Shown below.` */
function describeUse({ operation, at, calls, from = [], fix, proof, unproven }: DriftUse): string {
  const where = [operation, at].filter(Boolean).join(' ')
  const parts = [where, countOf(calls, 'call'), ...(from.length > 0 ? [`as in ${from.join(', ')}`] : [])]
  const shown = proof ? `Shown: ${describeStatuses(proof)}.` : unproven && `Not shown: ${unproven}.`
  return [parts.join(', ') + (fix || shown ? '.' : ''), fix, shown].filter(Boolean).join(' ')
}

const describeStatuses = ({ was, is }: DriftProof) =>
  was.status === is.status ? `${is.status} with another answer` : `${was.status} before, ${is.status} now`

/** The distinct requests that show differences, with both answers, of which `longest` characters are shown. */
export function describeProofs({ target }: Pick<Report, 'target'>, drift: readonly Drift[], longest = 300) {
  const proofs = drift.flatMap(({ usedBy = [] }) => usedBy.flatMap(({ proof = [] }) => proof))
  return [...new Map(proofs.map(one => [JSON.stringify([one.method, one.request]), one])).values()].map(one => ({
    curl: curlOf(target, one),
    answers: (
      [
        ['before', one.was],
        ['now', one.is],
      ] as const
    ).map(([when, { status, body }]) => `${when} ${status} ${shorten(body, longest)}`),
  }))
}

function curlOf(target: Report['target'], { method, request, was }: DriftProof): string {
  const form = request.path.startsWith('/api/v2') ? 'selfHosted' : 'cloud'
  const headers: Readonly<Record<string, string>> = request.body === null ? {} : { 'content-type': 'application/json' }
  const exchange = { as: 'key', request: { method, ...request, headers }, response: { ...was, headers: {} }, ms: 0 }
  return curlLine(target, form, exchange) ?? ''
}

/** What the recorded requests showed, as sentences: a first one, and one for each request that shows what no difference says. */
export function summariseProof({ drift, proof }: Pick<Report, 'drift' | 'proof'>): readonly string[] {
  if (!proof) return []
  const { requests, refused, unexpected, why, start } = proof
  if (why !== undefined) return [`No request was sent to show it: ${why}`]
  const own = drift.filter(one => one.kind === 'breaking' && isUsed(one))
  const shown = own.filter(({ usedBy = [] }) => usedBy.some(one => one.proof)).length
  const sent = `${countOf(requests, 'recorded request')} ${requests === 1 ? 'was' : 'were'} sent to mocks of both documents`
  const others = refused > 0 ? `, ${refused} of which the older one refuses` : ''
  const showing = `They show ${shown} of the ${own.length} breaking changes that touch what you call`
  return [
    `${sent}${others}. ${showing}${shown > 0 ? `; the curl lines are for ${start}` : ''}.`,
    ...unexpected.map(
      one =>
        `No breaking change says it, but ${one.operation} differs: ${describeStatuses(one)}${one.lost.length > 0 ? `, without ${one.lost.join(', ')}` : ''}. ${one.method} ${one.request.path}`,
    ),
  ]
}

/** One line for the differences that touch nothing that is used; undefined if there are none. */
export const describeOthers = (others: readonly Drift[]): string | undefined =>
  others.length === 0 ? undefined : `${describeDrift({ drift: others })} touch nothing that you call`
