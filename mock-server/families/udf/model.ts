import { z } from 'zod/v3'
import type { ValuesOf } from '../../../fixtures/contract/index.ts'
import { udf, udfAttachment } from '../../../fixtures/contract/udf.ts'
import { day, second } from '../../words/durations.ts'
import type { Model } from '../../world/collection.ts'
import { recordSchema, time } from '../../world/record.ts'
import { organizations } from '../organization/model.ts'
import { services } from '../service/model.ts'
import { type Timed, timed } from '../timed.ts'

/** One version of a function. */
export type Udf = ValuesOf<typeof udf.fields, 'answer'>
/** The version of a function that a service has. */
export type UdfAttachment = ValuesOf<typeof udfAttachment.fields> & Timed
const upload = z.object({
  id: z.string().uuid(),
  organizationId: z.string(),
  expiresAt: time,
  /** Whether the archive was uploaded. */
  isStored: z.boolean().optional(),
})
/** An address to which one archive can be uploaded. */
export type UdfUpload = Readonly<z.infer<typeof upload>>

/** How long a build, attaching and detaching take, and how long an upload address is valid, in milliseconds. */
export const durations = {
  building: 60 * second,
  provisioning: 20 * second,
  deprovisioning: 20 * second,
  upload: 3600 * second,
}

/** The defaults of a version. */
export const defaults = {
  commandReadTimeout: 10_000,
  commandWriteTimeout: 10_000,
  maxCommandExecutionTime: 10,
  sendChunkHeader: false,
  format: 'TabSeparated',
  sandboxType: 'basic',
  sandboxVersion: 'v2',
  memoryLimitMib: null,
  deterministic: false,
} as const satisfies Partial<Udf>

const seedValues = {
  ...defaults,
  functionName: 'toEuro',
  runtime: 'python3.11',
  type: 'executable',
  arguments: [
    { name: 'amount', type: 'Decimal(18, 4)' },
    { name: 'currency', type: 'LowCardinality(String)' },
  ],
  returnType: 'Decimal(18, 4)',
  returnName: null,
  poolSize: null,
  error: null,
} as const satisfies Partial<Udf>

export const udfs: Model<Udf, 'udf'> = {
  name: 'udf',
  within: organizations,
  record: recordSchema(udf.fields),
  keyFields: ['functionName', 'version'],
  *seed(_, { start }) {
    for (const [version, age] of [
      [1, 40],
      [2, 12],
    ] as const) {
      const at = new Date(start - age * day).toISOString()
      yield { ...seedValues, version, status: 'ready', createdAt: at, updatedAt: at }
    }
  },
  nextChangeAt: ({ status, updatedAt }) =>
    status === 'building' ? Date.parse(updatedAt) + durations.building : undefined,
  applyChange: (record, at) => ({ ...record, status: 'ready', updatedAt: new Date(at).toISOString() }),
}

export const udfAttachments: Model<UdfAttachment, 'udfAttachment'> = {
  name: 'udfAttachment',
  within: organizations,
  record: recordSchema(udfAttachment.fields, timed),
  keyFields: ['functionName', 'serviceId'],
  *seed(organizationId, { world }) {
    const [first] = world.list(services, organizationId)
    if (first) yield { functionName: seedValues.functionName, serviceId: first.id, status: 'deployed', version: 2 }
  },
  nextChangeAt: ({ changesAt }) => changesAt,
  applyChange: ({ changesAt: _, ...rest }) =>
    rest.status === 'deprovisioning' ? undefined : { ...rest, status: 'deployed' },
}

export const udfUploads: Model<UdfUpload, 'udfUpload'> = {
  name: 'udfUpload',
  // An upload is found by its address alone.
  within: 'deployment',
  record: upload,
  defaults: (_, at) => ({ expiresAt: new Date(at + durations.upload).toISOString() }),
  nextChangeAt: ({ expiresAt }) => Date.parse(expiresAt),
  applyChange: () => undefined,
}
