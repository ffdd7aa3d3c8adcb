import type { Basis } from '../../fixtures/contract/index.ts'

/** A question about the cloud that no source settles, with the evidence for each side and the answer of the mock. */
interface OpenQuestion {
  readonly question: string
  readonly sides: string
  readonly answer: string
  readonly basis: Basis
}

export const openQuestions: readonly OpenQuestion[] = [
  {
    question: 'What does a list answer to a cursor that no answer contained?',
    sides: 'Nothing is documented: a refusal, or the first page.',
    answer: '400; the choice `page/unknown-cursor` answers the first page',
    basis: 'invented',
  },
  {
    question: 'What becomes of a limit above 100 in lists whose schema has that maximum?',
    sides: 'The schema has a maximum; the text of other lists says that the value is capped.',
    answer: '400; the choice `page/limit-above-maximum` caps it',
    basis: 'documented',
  },
  {
    question: 'Does a PUT of the settings of a pipe merge or replace?',
    sides: 'A deployment was seen to merge and to refuse an empty body; a client assumes that it replaces.',
    answer: 'it merges, and an empty body is refused',
    basis: 'observed',
  },
  {
    question: 'May a system role be changed?',
    sides: 'The document says no; a client changes its actors, and an example of the vendor does so every night.',
    answer: 'its actors may be changed, nothing else',
    basis: 'inferred',
  },
  {
    question: 'Which settings does a fresh service list?',
    sides: 'The document: those that were set. The live suite expects some.',
    answer: 'three',
    basis: 'inferred',
  },
  {
    question: 'What becomes of a scaling schedule that is replaced by one without entries?',
    sides: 'The document clears it; a deployment refused it.',
    answer: 'it is cleared; the choice `scalingSchedule/no-entries` refuses it',
    basis: 'documented',
  },
  {
    question: 'How is replica-aware routing refused to an organization without the feature?',
    sides: 'The live suite takes 400 alone; other features are refused with 403.',
    answer: '400; the choice `replicaAwareRouting/not-entitled`',
    basis: 'inferred',
  },
  {
    question: 'How are snapshots refused to an organization without them, and what is their configuration at first?',
    sides: 'Nothing is recorded.',
    answer: '403 (`snapshotConfiguration/not-entitled`); disabled, without gap and time frame',
    basis: 'invented',
  },
  {
    question: 'May a service be created without `ipAccessList`?',
    sides: 'The document requires it; an older live suite left it out.',
    answer: 'it may',
    basis: 'inferred',
  },
  {
    question: 'Which UUIDs are refused as malformed?',
    sides: 'The nil UUID was refused with 400; the path pattern of newer operations allows it.',
    answer: 'the nil UUID, everywhere',
    basis: 'observed',
  },
  {
    question: 'Which permission does the usage cost need?',
    sides: 'The document lists `organization:view` for it, and `organization:view-billing` for balances.',
    answer: 'those of the document',
    basis: 'documented',
  },
  {
    question: 'Is the `timestamp` of a Kinesis source a number or a text?',
    sides: 'The document has a number; a client sends and reads a text.',
    answer: 'both, answered as it was sent',
    basis: 'inferred',
  },
  {
    question: 'Does the metrics endpoint of the whole organization still answer?',
    sides: 'The live suite requires it; the document turns it off for new organizations.',
    answer: 'it answers',
    basis: 'inferred',
  },
  {
    question: 'Is null accepted in a change of a pipe, where the document of August allowed it?',
    sides: 'That document allows it, the one of October does not.',
    answer: 'it is accepted, and leaves the field unchanged',
    basis: 'documented',
  },
  {
    question: 'Which changes does the activity `service_update_query_endpoints` report?',
    sides: 'Its name fits those of the one endpoint of a service and those of its named endpoints.',
    answer: 'both',
    basis: 'invented',
  },
  {
    question: 'Which permission do changing and deleting a key, and starting and stopping a service need?',
    sides: 'The document lists `view-api-keys`, and none; by that, who may read could change.',
    answer: '`update-api-keys`, `delete-api-keys` and `service:manage`',
    basis: 'invented',
  },
  {
    question: 'What does the query host answer for a stopped service?',
    sides: 'A deployment answered 404 with a text; an older client expects 206.',
    answer: '404 with that text',
    basis: 'observed',
  },
  {
    question: 'Which organizations does a key list?',
    sides: 'The document: the one of the key; keys of migrated organizations are not described.',
    answer: 'its own',
    basis: 'documented',
  },
  {
    question: 'How long may backups be kept?',
    sides: 'The document: up to 1080 hours; a client of the vendor takes 720 at most when it reads a service.',
    answer: '1080',
    basis: 'documented',
  },
  {
    question: 'May a key be given an expiry that is past?',
    sides: 'The live suite accepts both answers.',
    answer: 'it may, and the key is refused from then on',
    basis: 'inferred',
  },
  {
    question: 'Which types of notifications are there?',
    sides: 'Only `service_backup_failed` is published.',
    answer: 'that one, and six of the mock',
    basis: 'invented',
  },
]
