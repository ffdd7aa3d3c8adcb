import { describe, expect, it } from 'vitest'
import { mutantsOf } from './mutants.ts'
import { run } from './run-mutants.ts'

/** A sample of the mutants that follow from the contract, in one run; `npm run mutants` runs all of them. */

const sample = {
  'cloud role.get: no credentials': 'auth/no-credentials-are-refused-elsewhere',
  'cloud savedQuery.list: wrong secret': 'auth/wrong-secret-is-refused-elsewhere',
  "cloud quota.list: another organization's key": 'isolation/foreign-organization-is-refused',
  'cloud activity.list: key that is refused: expired': 'key/expired-key-is-refused',
  'cloud invitation.get: key that is refused: role': 'key/without-a-role-may-do-nothing',
  'cloud key.get: unknown id': 'isolation/unknown-id-is-refused',
  'cloud queryApiEndpoint.create: required field missing': 'error/missing-field-is-refused',
  'cloud scalingSchedule.upsert: malformed JSON': 'error/malformed-json-is-refused',
  'cloud snapshot.get: refusal: error is no text': 'answer/refusals-are-described',
  'cloud usageCost.get: cost: a day twice': 'usageCost/each-day-stands-once',
  'cloud servicePrometheus.get: text: no TYPE lines': 'prometheus/families-are-described',
  'cloud activity.get: moment moved: createdAt': 'answer/lists-agree-with-gets',
  'cloud postgres.update: answers with what was before': 'answer/effects-are-shown',
  'cloud postgres.create: creation without what only it shows': 'postgres/create-answers',
  'cloud udf.create: wrong secret': 'auth/wrong-secret-is-refused-elsewhere',
  'cloud queryApiEndpoint.list: list without its last item': 'queryApiEndpoint/list-answers',
  'managed stackRole.get: another format: createdAt': 'stackRole/get-answers',
  'managed alert.create: drops the message': 'alert/created-is-got',
  'cloud service.state: id of what was deleted': 'isolation/unknown-id-is-refused',
  'cloud scalingSchedule.upsert: inner value outside an enum': 'error/unknown-value-is-refused',
  'cloud clickPipe.create: inner field missing': 'error/missing-field-is-refused',
  'cloud reversePrivateEndpoint.update: inner value of another type': 'error/wrong-type-is-refused',
  'cloud postgresPrometheus.get: text: empty': 'prometheus/parses',
  'managed webhook.validate: no credentials': 'auth/no-credentials-are-refused-elsewhere',
  'cloud service.list: query: ignored: filter': 'service/filter-selects',
  'cloud usageCost.get: query: ignored: filter': 'usageCost/filter-selects',
  'cloud notification.list: query: ignored: severity': 'notification/filter-holds',
  'cloud notification.list: query: ignored: type': 'list/filter-selects',
  'cloud notification.list: query: ignored: to_date': 'list/window-is-kept',
  'cloud activity.list: query: ignored: to_date': 'activity/dates-limit-the-list',
  'cloud slowQueryPattern.list: query: ignored: sort_by': 'list/order-is-kept',
  'cloud udf.list: page: begins one too late': 'page/cursor-leads-on',
  'cloud reversePrivateEndpoint.list: list: its first item twice': 'list/each-record-stands-once',
  'managed webhook.delete: deletes nothing': 'answer/effects-are-shown',
} as const

const all = [...mutantsOf('cloud'), ...mutantsOf('managed')]

describe('the suite on a deployment with a sample of mutants', () => {
  it('notices each mutant under its rule', async () => {
    const mutants = Object.keys(sample).flatMap(id => all.find(one => one.id === id) ?? [])
    expect(mutants.map(({ id }) => id)).toEqual(Object.keys(sample))
    const { wrong } = await run(mutants, { as: 'clickhouse-cloud' })
    const broken = new Set<string>(wrong.map(({ id }) => id))
    expect(Object.entries(sample).filter(([, rule]) => !broken.has(rule))).toEqual([])
  })
})
