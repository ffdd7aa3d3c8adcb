import { expect, it } from 'vitest'
import { fitHelp } from './fit-help.ts'
import { renderHelp } from './help.ts'

const help = `program [options]

Serves a world of organizations and
services.

  --host ADDRESS  address to listen on, or none
                  of them
                    default: 127.0.0.1

Exit status
  0  stopped by Ctrl-C
     or SIGTERM

Examples
  stack-parity mock --seed 7 --organizations 3 --members 100
  stack-parity mock
`

it('a help text is wrapped between words at the width of the terminal, its columns are kept', () => {
  expect(fitHelp(help, 40)).toBe(`program [options]

Serves a world of organizations and
services.

  --host ADDRESS  address to listen on,
                  or none of them
                    default: 127.0.0.1

Exit status
  0  stopped by Ctrl-C or SIGTERM

Examples
  stack-parity mock --seed 7 --organizations 3 --members 100
  stack-parity mock
`)
})

it('each usage stays on a line of its own', () => {
  const usages = 'stack-parity capture --target FILE\nstack-parity capture --har FILE\n'
  expect(fitHelp(usages, 80)).toBe(usages)
})

it.each([60, 80, 200])(
  'no line of the help of the mock is wider than a terminal of %i columns, or than 100',
  columns => {
    const lines = fitHelp(renderHelp(), columns).split('\n')
    const long = lines.filter(line => line.length > Math.min(100, columns) && !/^ {2}stack-parity /.test(line))
    expect(long.filter(line => line.trim().includes(' '))).toEqual([])
  },
)
