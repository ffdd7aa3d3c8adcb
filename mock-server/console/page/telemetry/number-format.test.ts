import { expect, it } from 'vitest'
import { numberFormatter } from './number-format.ts'

it.each([
  [undefined, 1234567, '1,234,567', '1.2M'],
  [undefined, 0.0345, '0.035', '0.0345'],
  [undefined, null, '–', '–'],
  [{ output: 'number', mantissa: 2 }, 1234.5, '1,234.50', '1,230'],
  [{ output: 'percent', mantissa: 2 }, 0.00345, '0.35 %', '0.345 %'],
  [{ output: 'byte' }, 1536, '1.5 KiB', '1.5 KiB'],
  [{ output: 'byte', decimalBytes: true }, 1_500_000, '1.5 MB', '1.5 MB'],
  [{ output: 'duration', factor: 1e-9 }, 215_000_000, '215 ms', '215 ms'],
  [{ output: 'duration', factor: 1e-9 }, 5_000_000_000, '5 s', '5 s'],
  [{ output: 'duration', factor: 1e-3 }, 0.25, '250 µs', '250 µs'],
  [{ output: 'time' }, 3725, '1:02:05', '1:02:05'],
  [{ output: 'currency', currencySymbol: '€' }, 12.5, '€12.5', '€12.5'],
  [{ output: 'throughput', numericUnit: 'rps' }, 42, '42 req/s', '42 req/s'],
  [{ output: 'number', unit: 'orders' }, 7, '7 orders', '7 orders'],
  [{ output: 'something newer' }, 7, '7', '7'],
])('a number is written in the format %o', (format, value, full, short) => {
  const numbers = numberFormatter(format)
  expect([numbers.full(value), numbers.short(value)]).toEqual([full, short])
})
