import { describe, expect, it } from 'vitest'
import { stringify } from 'yaml'
import { compareDocuments } from '../../run/document/compare-documents.ts'
import { parseDocument } from '../../run/document/parse-document.ts'
import { type Loose, type OperationPlace, operationChanges, valueChanges } from './changes.ts'
import { type Api, described, placeIn, withChange, withProbe } from './describe-changed.ts'

const apis: readonly Api[] = ['cloud', 'selfHosted']
const severities = ['breaking', 'additive', 'neutral'] as const

describe.each(apis)('a change of our description of the %s API', api => {
  describe.each(['request', 'answer', 'parameter'] as const)('of a value in the %s', side => {
    it.each(valueChanges)('is what a client feels of it: $name', change => {
      const [was, is] = [withProbe(api, side, change, 'was'), withProbe(api, side, change, 'is')]
      for (const isContract of [false, true]) {
        const drift = compareDocuments(was, is, { isContract })
        const worst = severities.find(kind => drift.some(one => one.kind === kind)) ?? 'nothing'
        // What a vendor says more closely of an answer is no difference from the contract, nor what he leaves out.
        const isCloser = side === 'answer' ? change.answer === 'neutral' && change.is : change.isSilent
        // Bodies of the cloud are closed: what it does not know, it refuses.
        const isRefused = api === 'cloud' && side === 'request' && change[side] === 'neutral' && !change.isSilent
        expect(worst).toBe(isContract && isCloser ? 'nothing' : isRefused ? 'breaking' : change[side])
        for (const { id, part, operations } of drift) {
          expect([part, id.split('/')[0]]).toEqual(['document', side])
          expect(operations).toMatchObject([{ method: 'POST' }])
        }
      }
    })
  })

  it.each(operationChanges)('of an operation is what a client feels of it: $name', ({ before, change, makes }) => {
    const drift = compareDocuments(withChange(api, before), withChange(api, before, change))
    expect([...new Set(drift.map(({ kind, id }) => `${kind} ${id.split('/').at(-1)}`))].sort()).toEqual(
      [...makes].sort(),
    )
  })

  it('is the same in YAML', () => {
    expect(compareDocuments(described(api), parseDocument(stringify(described(api))))).toEqual([])
  })

  it('has the same fingerprint in every run, and whatever else changed', () => {
    const [change] = operationChanges
    const fingerprints = (is: object) => compareDocuments(described(api), is).map(({ fingerprint }) => fingerprint)
    const alone = fingerprints(withChange(api, change!.change))
    expect(fingerprints(withChange(api, change!.change))).toEqual(alone)
    expect(fingerprints(withChange(api, change!.change, ({ info }) => (info.version = '9.0')))).toEqual(
      expect.arrayContaining(alone),
    )
  })
})

it('breaks by another role, since the specification says which there are', () => {
  const is = described('cloud')
  is.components.schemas.Member.properties.role.enum.push('viewer')
  expect(compareDocuments(described('cloud'), is)).toMatchObject([
    { kind: 'breaking', id: 'answer/Member.role/values-new', is: ['viewer'], family: 'member' },
  ])
})

it('counts on a field that the contract requires or the specification states, whatever the document requires', () => {
  const [was, is] = [described('cloud'), described('cloud')]
  for (const { components } of [was, is]) components.schemas.Backup.required = ['id']
  for (const name of ['sizeInBytes', 'backupName', 'status']) delete is.components.schemas.Backup.properties[name]
  expect(compareDocuments(was, is).map(({ kind, id }) => `${kind} ${id}`)).toEqual([
    'breaking answer/Backup.backupName/gone',
    'breaking answer/Backup.sizeInBytes/gone',
    'neutral answer/Backup.status/gone',
  ])
})

it('counts on every field of a vendor who requires none', () => {
  const [was, is] = [described('cloud'), described('cloud')]
  for (const { components } of [was, is]) delete components.schemas.Backup.required
  delete is.components.schemas.Backup.properties.status
  expect(compareDocuments(was, is)).toMatchObject([{ kind: 'breaking', id: 'answer/Backup.status/gone' }])
  expect(compareDocuments(was, is, { isContract: true })).toMatchObject([{ kind: 'neutral' }])
})

it('counts a property that is gone from a body of the cloud as refused, whatever the documents close', () => {
  const gone = (api: Api) => {
    const open = (change?: (document: Loose, place: OperationPlace) => void) => {
      const document = JSON.parse(JSON.stringify(withChange(api)).replaceAll('"unevaluatedProperties":false,', ''))
      const place = placeIn(document, api)
      place.operation.requestBody.content['application/json'].schema = {
        type: 'object',
        properties: { name: { type: 'string' }, inner: { type: 'object', properties: { a: { type: 'string' } } } },
      }
      change?.(document, place)
      return document
    }
    const body = ({ operation }: OperationPlace) => operation.requestBody.content['application/json'].schema.properties
    return [
      compareDocuments(
        open(),
        open((_, place) => delete body(place).name),
      ),
      compareDocuments(
        open(),
        open((_, place) => delete body(place).inner.properties.a),
      ),
    ].flatMap(drift => drift.map(({ kind }) => kind))
  }
  expect(gone('cloud')).toEqual(['breaking', 'neutral'])
  expect(gone('selfHosted')).toEqual(['neutral', 'neutral'])
})

it('knows the permissions of the contract, so that a further one breaks', () => {
  const further = (_: Loose, { operation }: OperationPlace) => {
    const [way] = operation.security
    for (const scopes of Object.values<Loose>(way)) scopes.push('control-plane:organization:manage')
  }
  expect(compareDocuments(withChange('cloud'), withChange('cloud', further), { isContract: true })).toMatchObject([
    { kind: 'breaking', id: 'operation/key.create/scope-new', is: ['control-plane:organization:manage'] },
  ])
})

it('says once what every operation with a schema has', () => {
  const is = described('cloud')
  delete is.components.schemas.Backup.properties.status
  const [drift, ...others] = compareDocuments(described('cloud'), is)
  expect(others).toEqual([])
  expect(drift?.operations?.map(({ id }) => id).sort()).toEqual(['backup.get', 'backup.list'])
})

it('looks into the alternatives of a component', () => {
  const withUnion = (host: object) => {
    const document = described('cloud')
    const arm = (kind: string) => ({ type: 'object', properties: { kind: { type: 'string', enum: [kind] }, host } })
    document.components.schemas.Member = {
      oneOf: [arm('kafka'), arm('mysql')],
      properties: { name: { type: 'string' } },
    }
    return document
  }
  const drift = compareDocuments(withUnion({ type: 'string' }), withUnion({ type: 'number' }))
  expect(drift.map(({ kind, id }) => `${kind} ${id}`)).toEqual([
    'breaking answer/Member(kafka).host/type',
    'breaking answer/Member(mysql).host/type',
  ])
})
