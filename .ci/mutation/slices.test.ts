import { existsSync } from 'node:fs'
import { expect, it } from 'vitest'
import { slices } from './slices.ts'

it.each(slices.map(slice => [slice.name, slice] as const))('the slice %s names files that exist', (_, slice) => {
  const files = [...slice.mutate, ...slice.tests, ...Object.keys(slice.survivors ?? {})]
  expect(files.filter(file => !existsSync(file))).toEqual([])
})
