import { Unreadable } from '../../query/unreadable.ts'
import type { Budget } from '../budget.ts'

/** A pattern as steps: a fork goes on at several places at once, which are counted from its own. */
export type Step =
  | { readonly kind: 'sign'; readonly fits: (sign: string) => boolean }
  | { readonly kind: 'place'; readonly fits: (text: readonly string[], at: number) => boolean }
  | { readonly kind: 'fork'; readonly by: readonly number[] }
  | { readonly kind: 'end' }

const mostSteps = 5000
const mostDepth = 100

/** What it takes to make a test of the language's own engine. */
const stepsPerTest = 50

/** What it takes to read one step of a pattern, or to repeat it. */
const stepsPerStep = 20

/** The steps of a pattern in the syntax of the database, which has no backreferences and looks neither ahead nor back. */
export function readPattern(pattern: string, budget: Budget): readonly Step[] {
  return new Reader(pattern, budget).whole()
}

const fork = (...by: number[]): Step => ({ kind: 'fork', by })
const unbounded = Number.POSITIVE_INFINITY

const isWord = (sign: string | undefined) => sign !== undefined && /\w/.test(sign)
const isStart = (_: readonly string[], at: number) => at === 0
const isEnd = (text: readonly string[], at: number) => at === text.length
const isEdge = (text: readonly string[], at: number) => isWord(text[at - 1]) !== isWord(text[at])
const places = new Map([
  ['^', isStart],
  ['\\A', isStart],
  ['$', isEnd],
  ['\\z', isEnd],
  ['\\b', isEdge],
  ['\\B', (text: readonly string[], at: number) => !isEdge(text, at)],
])

/** Recursive descent over what stands between the bars and brackets. */
class Reader {
  #at = 0
  #depth = 0
  #flags = 'u'

  constructor(
    readonly pattern: string,
    readonly budget: Budget,
  ) {}

  whole(): Step[] {
    const steps = this.#alternatives()
    if (this.#at < this.pattern.length) throw this.#wrong()
    return [...steps, { kind: 'end' }]
  }

  #wrong(): Unreadable {
    return new Unreadable(`Expected a regular expression, but this is "${this.pattern.slice(0, 80)}"`)
  }

  /** What stands here, when the expression matches it; its flags are `y` and whatever it needs. */
  #take(wanted: RegExp): RegExpExecArray | null {
    wanted.lastIndex = this.#at
    const found = wanted.exec(this.pattern)
    if (found) this.#at += found[0].length
    return found
  }

  #alternatives(): Step[] {
    if (++this.#depth > mostDepth) throw this.#wrong()
    let steps = this.#row()
    while (this.#take(/\|/y)) {
      const other = this.#row()
      this.budget.spend(steps.length + other.length)
      steps = this.#measured([fork(1, steps.length + 2), ...steps, fork(other.length + 1), ...other])
    }
    this.#depth--
    return steps
  }

  #row(): Step[] {
    const steps: Step[] = []
    while (this.#at < this.pattern.length && !'|)'.includes(this.pattern[this.#at]!)) {
      steps.push(...this.#repeated(this.#one()))
      this.#measured(steps)
    }
    return steps
  }

  #measured(steps: Step[]): Step[] {
    if (steps.length > mostSteps) throw this.#wrong()
    return steps
  }

  #repeated(part: readonly Step[]): Step[] {
    const found = this.#take(/(?:([*+?])|\{(\d{1,4})(,?)(\d{0,4})\})\??/y)
    this.budget.spend(stepsPerStep)
    if (!found) return [...part]
    const [, sign, first = '0', comma, last] = found
    const least = sign ? Number(sign === '+') : Number(first)
    const greatest = sign ? (sign === '?' ? 1 : unbounded) : last ? Number(last) : comma ? unbounded : least
    const isEndless = greatest === unbounded
    if (greatest < least || part.length * (isEndless ? least : greatest) > mostSteps) throw this.#wrong()
    this.budget.spend(part.length * (isEndless ? least + 1 : greatest) * stepsPerStep)
    const must = Array.from({ length: least }, () => part).flat()
    if (isEndless) return [...must, fork(1, part.length + 2), ...part, fork(-part.length - 1)]
    const may = Array.from({ length: greatest - least }, () => [fork(1, part.length + 1), ...part]).flat()
    return [...must, ...may]
  }

  #one(): Step[] {
    const flags = this.#take(/\(\?([is]+)\)/y)
    if (flags) {
      if (flags[1]!.includes('i')) this.#flags = 'iu'
      return []
    }
    if (this.#take(/\((?:\?:|\?P?<\w+>|(?!\?))/y)) {
      const inner = this.#alternatives()
      if (!this.#take(/\)/y)) throw this.#wrong()
      return inner
    }
    const place = this.#take(/[\^$]|\\[AzbB]/y)
    if (place) return [{ kind: 'place', fits: places.get(place[0])! }]
    const sign = this.#take(aSign)
    if (!sign) throw this.#wrong()
    return [{ kind: 'sign', fits: this.#testOf(sign[0]) }]
  }

  #testOf(written: string): (sign: string) => boolean {
    // As there, a dot is every sign, also the end of a line.
    if (written === '.') return () => true
    const isPlain = !/^[\\[]/.test(written)
    if (isPlain && this.#flags === 'u') return sign => sign === written
    const text = isPlain
      ? written.replace(/[/\]}-]/, '\\$&')
      : written.replace(/\[:(\w+):\]/g, (_, name) => signsOf(name))
    this.budget.spend(stepsPerTest)
    try {
      const test = new RegExp(`^${text.replace(needlessEscape, '$1')}$`, this.#flags)
      return sign => test.test(sign)
    } catch {
      throw this.#wrong()
    }
  }
}

/** A set in brackets, an escaped sign, or a sign that has no meaning of its own. */
const aSign = /\[\^?\]?(?:\[:\w+:\]|\\[\s\S]|[^\]\\])*\]|\\(?:x[\da-f]{2}|p\{\w+\}|[^\dkcxup])|[^*+?(){[\\]/iuy
const needlessEscape = /\\([^\w\\^$.*+?()[\]{}|/-])/gu

const named: Readonly<Record<string, string>> = {
  alpha: 'A-Za-z',
  digit: '0-9',
  alnum: 'A-Za-z0-9',
  upper: 'A-Z',
  lower: 'a-z',
  space: '\\s',
  word: '\\w',
  xdigit: '0-9A-Fa-f',
  punct: '!-\\/:-@\\[-`\\{-~',
}
const signsOf = (name: string) => (Object.hasOwn(named, name) ? named[name]! : '')
