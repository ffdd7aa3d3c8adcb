import type { Fields } from '../../fixtures/contract/index.ts'

type Kept = Readonly<Record<string, unknown>>

const plain = (name: string) => name.replaceAll(/[^a-z\d]/gi, '').toLowerCase()
const bounds = { after: 1, from: 1, since: 1, min: 1, before: -1, to: -1, until: -1, max: -1 } as const

/**
 * Makes a filter of records by a query: a parameter with the name of a field takes one of its values, `createdAfter` a
 * bound of `createdAt`, `q` a part of any text. Other parameters, such as those of pages, filter nothing.
 */
export function isWantedBy(query: URLSearchParams, fields: Fields): (record: Kept) => boolean {
  const fieldLike = (name: string) => Object.keys(fields).find(field => plain(field) === plain(name))
  const tests = [...new Set(query.keys())].flatMap((name): readonly ((record: Kept) => boolean)[] => {
    const values = query.getAll(name)
    const field = fieldLike(name.replace(/\[\]$/, ''))
    if (field !== undefined) {
      const wanted = new Set(values.flatMap(value => [value, ...value.split(',')]))
      return [record => [record[field]].flat().some(one => wanted.has(String(one)))]
    }
    if (/^(?:q|query|search|text)$/i.test(name)) {
      const text = values[0]!.toLowerCase()
      return [record => Object.values(record).some(one => typeof one === 'string' && one.toLowerCase().includes(text))]
    }
    const [, stem = '', bound = ''] = /^(\w+?)_?(after|from|since|before|to|until|min|max)$/i.exec(name) ?? []
    const compared = fieldLike(stem) ?? fieldLike(`${stem}At`)
    if (compared === undefined) return []
    const sign = bounds[bound.toLowerCase() as keyof typeof bounds]
    return [record => record[compared] != null && sign * compare(record[compared], values[0]!) >= 0]
  })
  return record => tests.every(test => test(record))
}

function compare(one: unknown, text: string): number {
  const [left, right] = typeof one === 'number' ? [one, Number(text)] : [Date.parse(String(one)), Date.parse(text)]
  return left < right ? -1 : left > right ? 1 : 0
}
