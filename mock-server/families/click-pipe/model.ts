import { z } from 'zod/v3'
import { clickPipe } from '../../../fixtures/contract/click-pipe/pipe.ts'
import { cdcScaling } from '../../../fixtures/contract/click-pipe/scaling.ts'
import type { ValuesOf } from '../../../fixtures/contract/index.ts'
import type { Model } from '../../world/collection.ts'
import { recordWith } from '../../world/record.ts'
import { services } from '../service/model.ts'
import { type Timed, timed } from '../timed.ts'
import { isOfDatabase, type Pipe } from './kind.ts'
import { elapse, nextChange } from './life.ts'
import { seedPipes, usualPipe } from './seed.ts'

type CdcScaling = ValuesOf<typeof cdcScaling.fields> &
  Timed & {
    /** What was asked for, and holds from `changesAt` on; it is not answered. */
    readonly asked?: ValuesOf<typeof cdcScaling.fields>
  }

const usual: CdcScaling = { replicaCpuMillicores: 2000, replicaMemoryGb: 8 }

/** What the database pipes of a service run on. */
export const cdcScalings: Model<CdcScaling, 'clickPipeCdcScaling'> = {
  name: 'clickPipeCdcScaling',
  within: services,
  one: true,
  record: recordWith(cdcScaling.fields, {
    asked: z.object({ replicaCpuMillicores: z.number(), replicaMemoryGb: z.number() }).optional(),
    ...timed,
  }),
  seed: () => [usual],
  next: ({ changesAt }) => changesAt,
  elapse: ({ asked, changesAt: _, ...before }) => ({ ...before, ...asked }),
}

export const isProvisioned = ({ state }: Pipe): boolean => state !== 'Provisioning' && state !== 'Unknown'

export const clickPipes: Model<Pipe, 'clickPipe'> = {
  name: 'clickPipe',
  within: services,
  record: recordWith(
    clickPipe.fields,
    { ...timed, isLoaded: z.boolean().optional(), isGoing: z.boolean().optional() },
    undefined,
    'answer',
  ),
  usual: (serviceId, at, { newUuid, seed }) => usualPipe(newUuid(), serviceId, seed, at),
  seed: seedPipes,
  next: nextChange,
  elapse(pipe, at, world, serviceId) {
    const changed = elapse(pipe, at)
    const all = world.in(clickPipes, serviceId).list()
    // What the database pipes share goes with the last of them.
    if (!changed && isOfDatabase(pipe) && all.filter(isOfDatabase).length === 1)
      world.in(cdcScalings, serviceId).replace(usual)
    return changed
  },
}
