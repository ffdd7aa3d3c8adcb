import type { JournalEntry } from '../../../mock/mock.ts'
import { shortId } from '../../../words/short-id.ts'
import { Badge, count, Definitions } from '../parts/basic.tsx'

/** The tone of a status: 0 is no answer at all. */
export const toneOfStatus = (status: number): 'bad' | 'warn' | 'good' =>
  status >= 500 || status === 0 ? 'bad' : status >= 400 ? 'warn' : 'good'

/** How long an answer took. */
export const writeMs = (ms: number): string => `${ms < 10 ? ms.toFixed(1) : Math.round(ms)} ms`

/** The headers of a message, folded below their number. */
export const Headers = ({ headers }: { readonly headers: Readonly<Record<string, string | undefined>> }) => (
  <details class="headers">
    <summary>{count(Object.keys(headers).length, 'header')}</summary>
    <Definitions pairs={Object.entries(headers)} />
  </details>
)

/** A path with short ids; the whole id on hover. */
export function ShortPath({ path }: { readonly path: string }) {
  const [bare = '', query] = path.split(/\?(.*)/s)
  return (
    <span class="path" title={path}>
      {bare.split(/(\/)/).map((segment, at) => {
        const short = shortId(segment, 4)
        if (segment === '/') return [segment, <wbr key={at} />]
        return short === undefined ? (
          segment
        ) : (
          <abbr key={at} title={segment}>
            {short}
          </abbr>
        )
      })}
      {query !== undefined && <span class="query">{`?${query}`}</span>}
    </span>
  )
}

type Cause = JournalEntry['because']
const tones: Readonly<Record<string, string>> = {
  stub: 'note',
  fault: 'bad',
  chaos: 'bad',
  gap: 'warn',
  broken: 'bad',
  held: 'good',
}

/** What decided on an answer: a rule or a gap of the contract, a fault, chaos or a stub, or where else it comes from. */
function kindOf({ by, stub, choice, rule, basis, judged }: Cause): string {
  if (judged) return judged
  if (stub) return 'stub'
  if (by) return by
  if (choice) return 'gap'
  return rule ? 'rule' : basis
}

/** The reason of an answer in a few words; its sentence is the title. */
export function Reason({ because }: { readonly because: Cause }) {
  const { rule, choice, stub, why } = because
  const kind = kindOf(because)
  return (
    <span class="row reason" title={choice ? `${choice}: ${why}` : why}>
      <Badge tone={tones[kind] ?? 'plain'}>{kind}</Badge>
      <code>{stub ?? rule ?? ''}</code>
    </span>
  )
}
