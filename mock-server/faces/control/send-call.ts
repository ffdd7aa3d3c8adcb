import { setTimeout as wait } from 'node:timers/promises'
import type { MockWorld } from '../../mock/mock.ts'
import { ControlRefusal } from './answer.ts'
import type { SendResult } from './page/answers.ts'

const maxCharacters = 16_384

/**
 * Sends a call to one of the APIs like a client, but without the restrictions of a browser. The default credentials are the
 * first active key of the organization in the path, or the access key; an empty `authorization` sends none.
 */
export async function sendCall(world: MockWorld, request: Readonly<Record<string, unknown>>): Promise<SendResult> {
  const { api, method = 'GET', path, headers = {}, body } = request
  if (api !== 'cloud' && api !== 'selfHosted') throw new ControlRefusal(400, '"api" must be cloud or selfHosted.')
  if (typeof method !== 'string' || !/^[A-Z]{1,20}$/.test(method))
    throw new ControlRefusal(400, '"method" must be a method in capitals, such as POST.')
  if (typeof path !== 'string' || !path.startsWith('/'))
    throw new ControlRefusal(400, '"path" must begin with a slash.')
  if (path.length > maxCharacters || /\p{Cs}|\p{Cc}/u.test(path))
    throw new ControlRefusal(
      400,
      `"path" must have at most ${maxCharacters} characters, without control characters and lone surrogates.`,
    )
  const [bare = '', ...query] = path.split('?')
  const { core, world: records } = world.deployment()
  const startedAt = performance.now()
  const answer = await world.answer(
    {
      method,
      path: bare,
      query: query.join('?'),
      headers: {
        'user-agent': 'stack-parity console',
        ...(body !== undefined && { 'content-type': 'application/json' }),
        authorization: core.credentials[api]?.choose(records, bare, world.clock.now()),
        ...readHeaders(headers),
      },
      body: body === undefined ? '' : typeof body === 'string' ? body : JSON.stringify(body),
    },
    api,
  )
  const { disturbance, status, headers: answered, body: text, cause } = answer
  if (disturbance?.delayMs) await wait(disturbance.delayMs)
  const ms = performance.now() - startedAt
  return disturbance?.break
    ? { status: 0, headers: {}, body: '', cause, ms }
    : { status, headers: answered, body: text, cause, ms }
}

function readHeaders(headers: unknown): Record<string, string | undefined> {
  const entries = typeof headers === 'object' && headers !== null ? Object.entries(headers) : [['', undefined] as const]
  if (entries.some(([, value]) => typeof value !== 'string'))
    throw new ControlRefusal(400, '"headers" must be an object of texts.')
  const read = Object.fromEntries(entries.map(([name, value]) => [name.toLowerCase(), value as string]))
  return read.authorization === '' ? { ...read, authorization: undefined } : read
}
