import type { Mutant } from '../mutant.ts'

/** §2.3, §4.1 backups. */

const get = { operation: 'backup.get', answers: 'success' } as const

const fields = [
  ['backup/id-is-a-uuid', 'id', 'deadbeef'],
  ['backup/id-is-a-uuid', 'id', 12],
  ['backup/id-is-a-uuid', 'id', 'DEADBEEF0BAD4F00A11D5EEDFACECAFE'],
  ['backup/id-is-the-one-asked-for', 'id', '11111111-2222-4333-8444-555555555555'],
  ['backup/service-id-is-a-string', 'serviceId', 42],
  ['backup/service-id-is-a-string', 'serviceId', ''],
  ['backup/service-id-is-a-string', 'serviceId', null],
  ['backup/service-id-is-the-one-asked-for', 'serviceId', '11111111-2222-4333-8444-555555555555'],
  ['backup/started-at-is-a-date-time', 'startedAt', '2025-02-30T00:00:00Z'],
  ['backup/started-at-is-a-date-time', 'startedAt', 1743296400],
  ['backup/started-at-is-a-date-time', 'startedAt', null],
  ['backup/finished-at-is-a-date-time', 'finishedAt', '2025-03-30'],
  ['backup/finished-at-is-a-date-time', 'finishedAt', '2025-03-30T25:00:00Z'],
  ['backup/finished-at-is-a-date-time', 'finishedAt', null],
  ['backup/finished-at-is-a-date-time', 'finishedAt', 'in progress'],
  // The backup starts at 03:00:00.5+02:00, which is 01:00:00.5Z.
  ['backup/does-not-finish-before-it-starts', 'finishedAt', '2025-03-30T02:59:59.5+02:00'],
  ['backup/does-not-finish-before-it-starts', 'finishedAt', '2025-03-30T00:59:59.5Z'],
  ['backup/does-not-finish-before-it-starts', 'finishedAt', '2025-03-30T03:59:59.5+03:00'],
  ['backup/does-not-finish-before-it-starts', 'finishedAt', '2025-03-30T01:00:00.4Z'],
  ['backup/size-in-bytes-is-a-number', 'sizeInBytes', '0'],
  ['backup/size-in-bytes-is-a-number', 'sizeInBytes', null],
  ['backup/size-in-bytes-is-a-number', 'sizeInBytes', { value: 0, unit: 'B' }],
  ['backup/duration-in-seconds-is-a-number', 'durationInSeconds', '0.25'],
  ['backup/duration-in-seconds-is-a-number', 'durationInSeconds', 'PT0.25S'],
  ['backup/duration-in-seconds-is-a-number', 'durationInSeconds', null],
  ['backup/backup-name-is-a-string', 'backupName', null],
  ['backup/backup-name-is-a-string', 'backupName', 20250330],
  ['backup/bucket-is-an-object', 'bucket', []],
  ['backup/bucket-is-an-object', 'bucket', 's3://bucket'],
  ['backup/bucket-is-an-object', 'bucket', null],
  ['backup/bucket-provider-is-a-string', 'bucket/bucketProvider', null],
  ['backup/bucket-provider-is-a-string', 'bucket/bucketProvider', ['AWS']],
  ['backup/bucket-path-is-a-string', 'bucket/bucketPath', null],
  ['backup/bucket-path-is-a-string', 'bucket/bucketPath', { path: '/' }],
  ['backup/iam-role-arn-is-a-string', 'bucket/iamRoleArn', null],
  ['backup/iam-role-arn-is-a-string', 'bucket/iamRoleArn', false],
  ['backup/iam-role-session-name-is-a-string', 'bucket/iamRoleSessionName', null],
  ['backup/iam-role-session-name-is-a-string', 'bucket/iamRoleSessionName', 1],
] as const

// A value that is no id also differs from the requested id.
const also = {
  'backup/id-is-a-uuid': ['backup/id-is-the-one-asked-for'],
  'backup/service-id-is-a-string': ['backup/service-id-is-the-one-asked-for'],
} as const

export const backupMutants: readonly Mutant[] = [
  ...fields.map(
    ([rule, field, to]): Mutant => ({
      id: `backup ${field} ${JSON.stringify(to)}`,
      rule,
      form: 'cloud',
      description: `The ${field} of a backup is ${JSON.stringify(to)}.`,
      at: get,
      change: { set: `result/${field}`, to },
      also: rule in also ? also[rule as keyof typeof also] : undefined,
    }),
  ),
  {
    id: 'backup answered 410',
    rule: 'backup/get-answers-200',
    form: 'cloud',
    description: 'Getting a backup that exists is answered 410.',
    at: get,
    change: { answer: 410 },
  },
  {
    id: 'backup answered 202',
    rule: 'backup/get-answers-200',
    form: 'cloud',
    description: 'Getting a backup is answered 202, in the envelope too.',
    at: get,
    change: { status: 202, statusAt: 'status' },
  },
  {
    id: 'backup in an array',
    rule: 'backup/result-is-an-object',
    form: 'cloud',
    description: 'The result is an array that holds the backup.',
    at: get,
    change: { answer: 200, result: [{ id: 'deadbeef-0bad-4f00-a11d-5eedfacecafe' }] },
  },
  {
    id: 'unknown backup answered 200',
    rule: 'backup/unknown-id-is-refused',
    form: 'cloud',
    description: 'A backup that does not exist is answered with an empty one.',
    at: { reason: 'unknown-backup' },
    change: { answer: 200, result: {} },
    also: ['isolation/unknown-id-is-refused', 'isolation/other-kinds-id-is-refused'],
  },
]
