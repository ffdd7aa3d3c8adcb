import { describe, expect, it } from 'vitest'
import { stringify } from 'yaml'
import { compareDocuments } from '../../run/document/compare-documents.ts'
import { parseDocument } from '../../run/document/parse-document.ts'
import { type Loose, type OperationPlace, operationChanges, valueChanges } from './changes.ts'
import { type Api, described, placeIn, withChange, withProbe } from './describe-changed.ts'

const apis: readonly Api[] = ['cloud', 'selfHosted']
const severities = ['breaking', 'additive', 'neutral'] as const

describe.each(apis)('a change in the description of the %s API', api => {
  describe.each(['request', 'answer', 'parameter'] as const)('of a value in the %s', side => {
    it.each(valueChanges)('is classified by its impact on clients: $name', change => {
      const [was, is] = [withProbe(api, side, change, 'was'), withProbe(api, side, change, 'is')]
      for (const isContract of [false, true]) {
        const drift = compareDocuments(was, is, { isContract })
        const worst = severities.find(kind => drift.some(one => one.kind === kind)) ?? 'nothing'
        // An answer that a vendor describes more narrowly than the contract is no difference, nor is an omission.
        const isCloser = side === 'answer' ? change.answer === 'neutral' && change.is : change.isSilent
        // The cloud refuses unknown fields in a body.
        const isRefused = api === 'cloud' && side === 'request' && change[side] === 'neutral' && !change.isSilent
        expect(worst).toBe(isContract && isCloser ? 'nothing' : isRefused ? 'breaking' : change[side])
        for (const { id, part, operations } of drift) {
          expect([part, id.split('/')[0]]).toEqual(['document', side])
          expect(operations).toMatchObject([{ method: 'POST' }])
        }
      }
    })
  })

  it.each(operationChanges)(
    'of an operation is classified by its impact on clients: $name',
    ({ before, change, makes }) => {
      const drift = compareDocuments(withChange(api, before), withChange(api, before, change))
      expect([...new Set(drift.map(({ kind, id }) => `${kind} ${id.split('/').at(-1)}`))].sort()).toEqual(
        [...makes].sort(),
      )
    },
  )

  it('is not found between a document and its YAML', () => {
    expect(compareDocuments(described(api), parseDocument(stringify(described(api))))).toEqual([])
  })

  it('has the same fingerprint in every comparison, whatever else changes', () => {
    const [change] = operationChanges
    const fingerprints = (is: object) => compareDocuments(described(api), is).map(({ fingerprint }) => fingerprint)
    const alone = fingerprints(withChange(api, change!.change))
    expect(fingerprints(withChange(api, change!.change))).toEqual(alone)
    expect(fingerprints(withChange(api, change!.change, ({ info }) => (info.version = '9.0')))).toEqual(
      expect.arrayContaining(alone),
    )
  })
})

it('a new role is breaking, because the specification lists the roles', () => {
  const is = described('cloud')
  is.components.schemas.Member.properties.role.enum.push('viewer')
  expect(compareDocuments(described('cloud'), is)).toMatchObject([
    { kind: 'breaking', id: 'answer/Member.role/values-new', is: ['viewer'], family: 'member' },
  ])
})

it('a missing field is breaking, whatever the document requires', () => {
  const [was, is] = [described('cloud'), described('cloud')]
  for (const { components } of [was, is]) components.schemas.Backup.required = ['id']
  for (const name of ['sizeInBytes', 'backupName', 'status']) delete is.components.schemas.Backup.properties[name]
  expect(compareDocuments(was, is).map(({ kind, id }) => `${kind} ${id}`)).toEqual([
    'breaking answer/Backup.backupName/gone',
    'breaking answer/Backup.sizeInBytes/gone',
    'breaking answer/Backup.status/gone',
  ])
})

it('a missing field is breaking when the document of the vendor requires none', () => {
  const [was, is] = [described('cloud'), described('cloud')]
  for (const { components } of [was, is]) delete components.schemas.Backup.required
  delete is.components.schemas.Backup.properties.status
  expect(compareDocuments(was, is)).toMatchObject([{ kind: 'breaking', id: 'answer/Backup.status/gone' }])
  expect(compareDocuments(was, is, { isContract: true })).toMatchObject([{ kind: 'breaking' }])
})

it('a missing field in a body of the cloud is breaking, even when the document allows unknown fields', () => {
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

it('a permission beyond those of the contract is breaking', () => {
  const further = (_: Loose, { operation }: OperationPlace) => {
    const [requirement] = operation.security
    for (const scopes of Object.values<Loose>(requirement)) scopes.push('control-plane:organization:manage')
  }
  expect(compareDocuments(withChange('cloud'), withChange('cloud', further), { isContract: true })).toMatchObject([
    { kind: 'breaking', id: 'operation/key.create/scope-new', is: ['control-plane:organization:manage'] },
  ])
})

it('a change in a schema is reported once for all its operations', () => {
  const is = described('cloud')
  delete is.components.schemas.Backup.properties.status
  const [drift, ...others] = compareDocuments(described('cloud'), is)
  expect(others).toEqual([])
  expect(drift?.operations?.map(({ id }) => id).sort()).toEqual(['backup.get', 'backup.list'])
})

it('a change within the alternatives of a component is found in each', () => {
  const withUnion = (host: object) => {
    const document = described('cloud')
    const createAlternative = (kind: string) => ({
      type: 'object',
      properties: { kind: { type: 'string', enum: [kind] }, host },
    })
    document.components.schemas.Member = {
      oneOf: [createAlternative('kafka'), createAlternative('mysql')],
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
