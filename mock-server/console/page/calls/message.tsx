import type { JournalEntry } from '../../../mock/mock.ts'
import { shortId } from '../../../words/short-id.ts'
import { Badge, Definitions, Explanation, formatCount } from '../parts/elements.tsx'

/** The tone of a status; 0 is a call without an answer. */
export const toneOfStatus = (status: number): 'bad' | 'warn' | 'good' =>
  status >= 500 || status === 0 ? 'bad' : status >= 400 ? 'warn' : 'good'

export const formatMs = (ms: number): string => `${ms < 10 ? ms.toFixed(1) : Math.round(ms)} ms`

export const Headers = ({ headers }: { readonly headers: Readonly<Record<string, string | undefined>> }) => (
  <details class="headers small">
    <summary class="quiet">{formatCount(Object.keys(headers).length, 'header')}</summary>
    <Definitions pairs={Object.entries(headers)} />
  </details>
)

/** A path with shortened ids, each of which has the whole id as its title. */
export function ShortPath({ path }: { readonly path: string }) {
  const [pathname = '', query] = path.split(/\?(.*)/s)
  return (
    <span class="path" title={path}>
      {pathname.split(/(\/)/).map((segment, at) => {
        const short = shortId(segment, 4)
        if (segment === '/') return [segment, <wbr key={at} />]
        return short === undefined ? (
          segment
        ) : (
          <abbr key={at} class="quiet" title={segment}>
            {short}
          </abbr>
        )
      })}
      {query !== undefined && <span class="quiet">{`?${query}`}</span>}
    </span>
  )
}

const tones: Readonly<Record<string, string>> = {
  stub: 'note',
  fault: 'bad',
  chaos: 'bad',
  gap: 'warn',
  broken: 'bad',
  'rules hold': 'good',
}

/** What the words mean that say where an answer comes from. */
const meanings: Readonly<Record<string, string>> = {
  rule: 'A rule, which the specification or the vendor’s document states, decides this answer.',
  gap: 'The specification leaves this open, deployments differ, and the mock makes a choice. Faults shows and changes it.',
  stub: 'A stub of this world answered instead of the mock.',
  fault: 'The fault of this rule, which is on, broke the answer.',
  chaos: 'Chaos, which is on, disturbed the call.',
  broken: 'A rule is broken by this answer of the deployment.',
  'rules hold': 'All rules that judge this answer of the deployment hold.',
  stated: 'The specification shows or says this.',
  implied: 'This follows from the specification.',
  documented: 'The vendor’s document says this.',
  observed: 'Real deployments were seen to do this.',
  inferred: 'Clients of the API rely on this.',
  invented: 'The mock decides this on its own.',
}

/** What the words mean that say what the client of a proxy got instead of an answer. */
const meaningsOfSubstitutes = {
  held: 'A rule is broken by the answer of the deployment, and the proxy held it back (--hold).',
  declined: 'The proxy did not pass the call on.',
  failed: 'The deployment gave no whole answer.',
} as const

/**
 * The cause of an answer in a word (such as rule or gap), or the verdict of a proxy. The word and the cause are explained
 * while the pointer or the focus is on it, or the focus on the summary around it.
 */
export function Reason({ because }: { readonly because: JournalEntry['because'] }) {
  const { by, stub, choice, rule, basis, judged, instead, why } = because
  const substitute = instead && `${instead.as}: ${instead.status || 'no answer'}`
  // The proxy also holds answers back, which is the other sense of the word.
  const verdict = judged === 'held' ? 'rules hold' : judged
  const kind = [substitute, verdict, stub && 'stub', by, choice && 'gap', rule && 'rule'].find(Boolean) ?? basis
  return (
    <span class="row reason explained">
      <Badge tone={instead ? 'bad' : (tones[kind] ?? 'plain')}>{kind}</Badge>
      <code class="tiny quiet cut">{stub ?? rule ?? ''}</code>
      <Explanation>
        <b>{`${kind}. `}</b>
        {instead ? meaningsOfSubstitutes[instead.as] : meanings[kind]}
        <p>{choice ? `Here: ${choice}. ${why}` : why}</p>
      </Explanation>
    </span>
  )
}
