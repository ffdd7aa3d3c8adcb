import type { Client } from '../clients/client.ts'
import { parseJson } from '../exchange.ts'
import { isObject, type Json } from '../recognise.ts'
import type { TargetFile } from './target.ts'

/**
 * A mock of ours gets what no deployment gets unasked: writes, effects, full speed, many wrong credentials. An address on
 * loopback proves nothing, since `kubectl port-forward` and `ssh -L` listen there too, and `control` may stand in a copied file.
 */

/** The hidden property of a target for which `recogniseMock` has decided. Copies made by spreading keep it. */
const decision = Symbol('is a mock of ours')

interface Decided {
  readonly [decision]?: boolean
}

/** Whether `recogniseMock` has found that the target is a mock of ours. */
export const isMock = (target: TargetFile): boolean => (target as Decided)[decision] === true

/** Asks the control plane that a target names whether it is that of a mock with the addresses of this target. */
export async function recogniseMock(target: TargetFile, client: Client): Promise<TargetFile> {
  if ((target as Decided)[decision] !== undefined) return target
  return decide(target, target.control !== undefined && (await listsAddresses(target, target.control.baseUrl, client)))
}

/** A path of the control plane, for the world of a target. */
export const pathInWorld = (path: string, { id }: TargetFile): string =>
  id === undefined ? path : `${path}${path.includes('?') ? '&' : '?'}world=${encodeURIComponent(id)}`

/** For the targets of mocks that this process has started itself. */
export const trustMock = (target: TargetFile): TargetFile => decide(target, true)

const decide = (target: TargetFile, isMock: boolean): TargetFile => ({ ...target, [decision]: isMock }) as TargetFile

async function listsAddresses(target: TargetFile, control: string, client: Client): Promise<boolean> {
  const request = { baseUrl: control, method: 'GET', path: '/control/target', headers: { accept: 'application/json' } }
  const answer = await client.send(request).catch(() => undefined)
  const listed = answer?.status === 200 ? parseJson(answer.text) : undefined
  if (!isObject(listed)) return false
  const { cloud, selfHosted, sql } = target
  // The console of `proxy` lists the addresses of a deployment, but no control plane.
  return (
    isSameAddress(control, listed.control) &&
    (!cloud || isSameAddress(cloud.baseUrl, listed.cloud)) &&
    (!selfHosted || isSameAddress(selfHosted.baseUrl, listed.selfHosted)) &&
    (!sql || (isObject(listed.sql) && listed.sql.host === sql.host && listed.sql.port === sql.port))
  )
}

function isSameAddress(given: string, part: Json | undefined): boolean {
  const listed = isObject(part) ? part.baseUrl : undefined
  return typeof listed === 'string' && URL.canParse(listed) && normalise(listed) === normalise(given)
}

const normalise = (url: string) => new URL(url).href.replace(/\/+$/, '')
