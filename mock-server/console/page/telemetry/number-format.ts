/** The number format of a tile, as in the API. */
export interface NumberFormat {
  readonly output?: string
  readonly mantissa?: number
  readonly thousandSeparated?: boolean
  readonly average?: boolean
  readonly decimalBytes?: boolean
  readonly factor?: number
  readonly currencySymbol?: string
  readonly unit?: string
  readonly numericUnit?: string
}

/** Formats numbers in full, or short for a chart. */
export interface NumberFormatter {
  readonly full: (value: number | null) => string
  readonly short: (value: number | null) => string
}

const decimals = (value: number, min: number, max: number) =>
  value.toLocaleString('en', { minimumFractionDigits: min, maximumFractionDigits: max })
const compact = new Intl.NumberFormat('en', { notation: 'compact', maximumFractionDigits: 1 })
const threeDigits = new Intl.NumberFormat('en', { maximumSignificantDigits: 3 })

/** Shortens large numbers to thousands or millions, small ones to three digits. */
const shorten = (value: number) => (Math.abs(value) >= 10_000 ? compact.format(value) : threeDigits.format(value))

export function numberFormatter(format: NumberFormat = {}): NumberFormatter {
  const { mantissa, factor = 1, unit = '', output } = format
  const fixed = (value: number, defaultDigits: number) =>
    mantissa === undefined ? decimals(value, 0, defaultDigits) : decimals(value, mantissa, mantissa)
  const writers: Readonly<Record<string, (value: number, isShort: boolean) => string>> = {
    percent: (value, isShort) => `${isShort ? threeDigits.format(value * 100) : fixed(value * 100, 2)} %`,
    currency: (value, isShort) => `${format.currencySymbol ?? '$'}${isShort ? shorten(value) : fixed(value, 2)}`,
    byte: value => formatBytes(value, format.decimalBytes === true, fixed, ''),
    data_rate: value => formatBytes(value, format.decimalBytes === true, fixed, '/s'),
    throughput: (value, isShort) =>
      `${isShort ? shorten(value) : fixed(value, 2)} ${throughputs[format.numericUnit ?? ''] ?? '/s'}`,
    duration: value => formatDuration(value),
    time: value => formatClock(value),
  }
  const writePlain = (value: number, isShort: boolean) =>
    isShort || format.average ? shorten(value) : fixed(value, Math.abs(value) < 10 ? 3 : 1)
  const write = (value: number | null, isShort: boolean) => {
    if (value === null) return '–'
    const scaled = value * factor
    const writer = output !== undefined && Object.hasOwn(writers, output) ? writers[output]! : writePlain
    const text = writer(scaled, isShort)
    return unit === '' ? text : `${text} ${unit.trim()}`
  }
  return { full: value => write(value, false), short: value => write(value, true) }
}

const throughputs: Readonly<Record<string, string>> = {
  rps: 'req/s',
  ops: 'ops/s',
  cps: '/s',
  reads_sec: 'reads/s',
  wps: 'writes/s',
  iops: 'IO/s',
  packets_sec: 'packets/s',
  cpm: '/min',
  opm: 'ops/min',
  rpm_reads: 'reads/min',
  wpm: 'writes/min',
}

function formatBytes(
  value: number,
  isDecimal: boolean,
  fixed: (value: number, defaultDigits: number) => string,
  per: string,
): string {
  const step = isDecimal ? 1000 : 1024
  const units = isDecimal ? ['B', 'kB', 'MB', 'GB', 'TB', 'PB'] : ['B', 'KiB', 'MiB', 'GiB', 'TiB', 'PiB']
  const power =
    value === 0 ? 0 : Math.min(units.length - 1, Math.max(0, Math.floor(Math.log(Math.abs(value)) / Math.log(step))))
  return `${fixed(value / step ** power, power === 0 ? 0 : 1)} ${units[power]}${per}`
}

/** Formats seconds in the unit that fits their magnitude. */
function formatDuration(seconds: number): string {
  const size = Math.abs(seconds)
  if (size === 0) return '0 ms'
  if (size < 1e-3) return `${threeDigits.format(seconds * 1e6)} µs`
  if (size < 1) return `${threeDigits.format(seconds * 1e3)} ms`
  if (size < 120) return `${threeDigits.format(seconds)} s`
  return size < 7200 ? `${threeDigits.format(seconds / 60)} min` : `${threeDigits.format(seconds / 3600)} h`
}

function formatClock(seconds: number): string {
  const total = Math.floor(Math.abs(seconds))
  const part = (value: number) => String(value).padStart(2, '0')
  return `${seconds < 0 ? '-' : ''}${Math.floor(total / 3600)}:${part(Math.floor(total / 60) % 60)}:${part(total % 60)}`
}
