import { setTimeout as wait } from 'node:timers/promises'
import { keys } from '../../families/key/model.ts'
import { teams } from '../../families/team/index.ts'
import type { MockWorld } from '../../mock/mock.ts'
import type { Listener } from '../../words/call.ts'
import { selfHosted, type World } from '../../world/world.ts'
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
  const startedAt = performance.now()
  const answer = await world.answer(
    {
      method,
      path: bare,
      query: query.join('?'),
      headers: {
        'user-agent': 'stack-parity console',
        ...(body !== undefined && { 'content-type': 'application/json' }),
        authorization: authorizationFor(world, api, bare),
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

function authorizationFor(world: MockWorld, api: Listener, path: string): string | undefined {
  const { world: recordWorld } = world.deployment()
  if (api === 'cloud') return authorizationOfKey(recordWorld, path, world.clock.now())
  const { accessKey } = recordWorld.in(teams, selfHosted).get('team') ?? {}
  return accessKey && `Bearer ${accessKey}`
}

/** For an organization without an active key, a key of another one: the refusal of the call then says why. */
function authorizationOfKey(world: World, path: string, now: number): string | undefined {
  const usable = world
    .in(keys)
    .list()
    .filter(one => one.keySecret && one.state === 'enabled' && !(one.expireAt && Date.parse(one.expireAt) <= now))
  const key = usable.find(({ organizationId }) => path.includes(organizationId)) ?? usable[0]
  return key && `Basic ${btoa(`${key.keyId}:${key.keySecret}`)}`
}
