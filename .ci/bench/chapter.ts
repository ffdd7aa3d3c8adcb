import type { Comparison, Pace } from './paired-bursts.ts'
import type { startLoader } from './running.ts'

/** What a chapter of the benchmark may use. */
export interface Bench {
  readonly loader: ReturnType<typeof startLoader>
  readonly pace: Pace
  readonly isQuick: boolean
}

/** A table of the report; its rows are values, so that a program may read them too. */
export interface Chapter {
  readonly title: string
  readonly description: string
  readonly rows: readonly Readonly<Record<string, string | number | undefined>>[]
}

/** The columns that every comparison of two servers has. */
export function renderComparison({ ratio, min, max, perSecond, p50, p99, cpu, plainCpu, errors }: Comparison) {
  return {
    ratio: round(ratio, 2),
    from: round(min, 2),
    to: round(max, 2),
    'req/s': Math.round(perSecond),
    'p50 ms': round(p50, 2),
    'p99 ms': round(p99, 2),
    'CPU µs': cpu && round(cpu, 0),
    'CPU µs of the other': plainCpu && round(plainCpu, 0),
    'CPU ratio': cpu && plainCpu && round(plainCpu / cpu, 2),
    ...(errors > 0 && { errors }),
  }
}

export function round(number: number, digits: number): number {
  return Number(number.toFixed(digits))
}

/** A chapter in Markdown, which is also readable in a terminal. */
export function render({ title, description, rows }: Chapter): string {
  const columns = [...new Set(rows.flatMap(row => Object.keys(row)))]
  const cells = [columns, columns.map(() => '-'), ...rows.map(row => columns.map(column => String(row[column] ?? '')))]
  const widths = columns.map((_, i) => Math.max(...cells.map(line => line[i]!.length)))
  const lines = cells.map(line => {
    const padded = line.map((cell, i) => (cell === '-' ? '-'.repeat(widths[i]!) : pad(cell, widths[i]!, i > 0)))
    return `| ${padded.join(' | ')} |`
  })
  return `## ${title}\n\n${description}\n\n${lines.join('\n')}\n`
}

const pad = (text: string, width: number, isNumberColumn: boolean) =>
  isNumberColumn && /^[\d.<]/.test(text) ? text.padStart(width) : text.padEnd(width)
