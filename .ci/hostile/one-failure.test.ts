import { expect, it } from 'vitest'
import { everyFailure, placeFailures } from './one-failure.ts'

/** A sample of `npm run soak -- --failures 1`, which places every failure on every request. */

const reading = (['managed', 'selfHosted'] as const).flatMap(form => everyFailure.map(failure => ({ form, failure })))

it.each(reading)(
  'a reading run of the $form form finds nothing broken with one $failure',
  async one => {
    for (const always of [false, true]) {
      const { complaints } = await placeFailures({ ...one, writes: false, always, share: 0.02, seed: 8 })
      expect(complaints).toEqual([])
    }
  },
  60_000,
)

it.each([
  { form: 'cloud', writes: false, failure: '502', perRun: 8 },
  { form: 'managed', writes: true, failure: 'lost connection', perRun: 16 },
  { form: 'selfHosted', writes: true, failure: '502', perRun: 16 },
] as const)(
  'a run of the $form form (writes: $writes) passes over a $failure here and there',
  async one => {
    const { complaints } = await placeFailures({ ...one, share: 0.05, seed: 3 })
    expect(complaints).toEqual([])
  },
  60_000,
)
