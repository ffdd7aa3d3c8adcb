/** The errors of a formula such as `A / (A + B) * 100`, whose letters are the series of a tile. */
export function findFormulaErrors(formula: string, seriesCount: number): readonly string[] {
  if (formula.trim() === '') return ['Expression is empty']
  if (formula.length > maxCharacters) {
    return [`Expression is too long (${formula.length} characters, max ${maxCharacters})`]
  }
  try {
    const tokens = tokenize(formula)
    parseTokens(tokens)
    const letters = new Set(tokens.filter(token => token.kind === 'series reference').map(token => token.text))
    if (letters.size === 0) return ['Expression must reference at least one series (A, B, C, ...)']
    return [...letters]
      .filter(letter => letter.charCodeAt(0) - firstLetter >= seriesCount)
      .map(letter => `Unknown series "${letter}" — this chart ${describeSeries(seriesCount)}`)
  } catch (error) {
    if (error instanceof InvalidFormula) return [error.sentence]
    throw error
  }
}

class InvalidFormula {
  constructor(readonly sentence: string) {}
}

const maxCharacters = 1024
const maxLevels = 64

const firstLetter = 'A'.charCodeAt(0)

const describeSeries = (count: number) =>
  count > 0 ? `only has series A through ${String.fromCharCode(firstLetter + count - 1)}` : 'has no series'

interface Token {
  readonly kind: 'number' | 'series reference' | 'operator' | '(' | ')'
  readonly text: string
}

function tokenize(formula: string): Token[] {
  const tokens: Token[] = []
  for (const [text] of formula.matchAll(/\d+(?:\.\d*)?|\.\d+|[A-Za-z]+|\S/g)) {
    if (/\d/.test(text)) tokens.push({ kind: 'number', text })
    else if (/^[A-Z]$/.test(text)) tokens.push({ kind: 'series reference', text })
    else if (/^[A-Z]/.test(text))
      throw new InvalidFormula(
        `Unexpected "${text}" — series references are single letters (A, B, C, ...) and functions are not supported`,
      )
    else if (/^[a-z]/.test(text))
      throw new InvalidFormula(`Unexpected "${text}" — series references are uppercase letters (A, B, C, ...)`)
    else if (/^[-+*/]$/.test(text)) tokens.push({ kind: 'operator', text })
    else if (text === '(' || text === ')') tokens.push({ kind: text, text })
    else throw new InvalidFormula(`Unexpected character "${text}"`)
  }
  return tokens
}

const tokenNames: Partial<Record<Token['kind'], string>> = { '(': 'opening parenthesis', ')': 'closing parenthesis' }
const describeUnexpected = ({ kind, text }: Token) => `Unexpected ${tokenNames[kind] ?? `${kind} "${text}"`}`

/** Computes a formula from the values of the series; NaN if it divides by zero. */
type Compute = (values: readonly (number | undefined)[]) => number

/** Compiles a valid formula. A series without a value counts as zero, as in deployments. */
export const compileFormula = (formula: string): Compute => parseTokens(tokenize(formula))

const operationByOperator: Readonly<Record<string, (left: number, right: number) => number>> = {
  '+': (left, right) => left + right,
  '-': (left, right) => left - right,
  '*': (left, right) => left * right,
  '/': (left, right) => (right === 0 ? Number.NaN : left / right),
}

/** The operators of each precedence, from low to high. */
const operatorsByPrecedence = [/^[-+]$/, /^[*/]$/]

function parseTokens(tokens: readonly Token[]): Compute {
  let position = 0
  const readOperand = (level: number): Compute => {
    let innerLevel = level
    // Each sign counts as a level, as in the parser of deployments.
    while (tokens[position]?.text === '-') {
      innerLevel++
      position++
    }
    const sign = (innerLevel - level) % 2 === 0 ? 1 : -1
    const token = tokens[position++]
    if (token?.kind === '(') innerLevel++
    if (innerLevel > maxLevels) throw new InvalidFormula(`Expression is nested too deeply (max ${maxLevels} levels)`)
    if (!token) throw new InvalidFormula('Unexpected end of expression')
    if (token.kind === 'operator' || token.kind === ')') throw new InvalidFormula(describeUnexpected(token))
    if (token.kind === 'number') return () => sign * Number(token.text)
    if (token.kind === 'series reference') return values => sign * (values[token.text.charCodeAt(0) - firstLetter] ?? 0)
    const compute = readTerms(innerLevel)
    if (tokens[position++]?.kind !== ')') throw new InvalidFormula('Missing closing parenthesis')
    return values => sign * compute(values)
  }
  const readTerms = (level: number, precedence = 0): Compute => {
    const operator = operatorsByPrecedence[precedence]
    if (!operator) return readOperand(level)
    let compute = readTerms(level, precedence + 1)
    while (operator.test(tokens[position]?.text ?? '')) {
      const operate = operationByOperator[tokens[position++]!.text]!
      const [left, right] = [compute, readTerms(level, precedence + 1)]
      compute = values => operate(left(values), right(values))
    }
    return compute
  }
  const compute = readTerms(0)
  const next = tokens[position]
  if (next) throw new InvalidFormula(next.kind === ')' ? 'Unmatched closing parenthesis' : describeUnexpected(next))
  return compute
}
