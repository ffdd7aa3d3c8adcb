import { expect, it } from 'vitest'
import { createMock } from '../../faces/create-mock.ts'
import { listStubs } from './nearest-miss.ts'

const path = '/api/v2/alerts'
const post = (body: object) => ({ method: 'POST', path, query: 'a=1', headers: {}, body: JSON.stringify(body) })

it('listStubs has for a stub without hits the nearest call and its difference', async () => {
  const mock = createMock()
  mock.stub({ when: { method: 'POST', path, body: { threshold: 5 } }, answer: { status: 503 } })
  mock.stub({ when: { method: 'PUT', path: '/nowhere' }, answer: {} })
  const list = () => listStubs(mock.stubs(), mock.calls())
  expect(list().map(({ nearest }) => nearest)).toEqual([undefined, undefined])

  await mock.answer({ method: 'GET', path, query: '', headers: {}, body: '' }, 'selfHosted')
  await mock.answer(post({ threshold: 7 }), 'selfHosted')
  expect(list()[0]!.nearest).toEqual({ call: 2, method: 'POST', path: `${path}?a=1`, misses: ['body'] })
  // No call matches any condition of the second stub.
  expect(list()[1]!.nearest).toBeUndefined()

  await mock.answer(post({ threshold: 5 }), 'selfHosted')
  expect(list()[0]).toMatchObject({ answered: 1 })
  expect(list()[0]).not.toHaveProperty('nearest')
})
