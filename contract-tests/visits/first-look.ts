import type { Form, OperationId } from '../../fixtures/contract/index.ts'
import { enumerate } from '../engine/enumerate.ts'
import { type Exchange, isSuccess } from '../engine/exchange.ts'
import { isWhole, listIn } from '../engine/pages.ts'
import { pathOf, pathValues } from '../engine/paths.ts'
import { findList, idOf, isUuid, sameId } from '../engine/recognise.ts'
import { placeOf, type TargetFile } from '../engine/target/target.ts'
import { reasonOf, type Trouble, troubleOf } from '../engine/trouble.ts'
import { sayStale } from './stale-references.ts'

/**
 * One cheap list request goes to each form ahead of all others. Refused credentials, an unknown organization and an
 * unreachable address are mistakes in the target file: they end the form with one sentence that says where to look,
 * instead of a hundred failures or a locked key.
 */

/** The outcome of a question: an answer, why none came, or undefined when it was not asked. */
export type Answer = Exchange | { readonly failed: string; readonly error?: unknown } | undefined

export interface FirstLook {
  /** The target, completed with ids that reading found. */
  readonly target: TargetFile
  /** Why nothing more is asked of a form. */
  readonly ended: ReadonlyMap<Form, string>
  /** A sentence for each id of the target file that the deployment does not list. */
  readonly stale: readonly string[]
}

export interface FirstLookOptions {
  readonly target: TargetFile
  /** The forms that something is to be asked of. */
  readonly forms: readonly Form[]
  /** True when a backup is to be read, so that one is looked for. */
  readonly wantsBackup: boolean
  /** True when the run writes to a deployment that is not on loopback: then to no service that the file does not name. */
  readonly isDangerous: boolean
  /** Sends a GET with the good credentials. */
  readonly ask: (form: Form, path: string) => Promise<Answer>
}

/** Backups are looked for in so many services. */
const MOST_SERVICES = 5

export async function lookFirst(options: FirstLookOptions): Promise<FirstLook> {
  const { target, forms, wantsBackup, isDangerous } = options
  const ended = new Map<Form, string>()
  const stale: string[] = []
  const answers = new Map<string, Promise<Answer>>()
  const inCloud = forms.filter(form => form !== 'selfHosted')
  let complete = target

  if (inCloud.length > 0) {
    await lookAtOrganization()
    if (inCloud.some(form => !ended.has(form))) await dropStaleIds()
    if (inCloud.some(form => !ended.has(form))) await findServiceAndBackup()
    if (inCloud.includes('managed') && !ended.has('managed')) await lookAtService()
  }
  if (forms.includes('selfHosted')) {
    const path = listOf('selfHosted', ['dashboard.list', 'alert.list', 'source.list', 'webhook.list'])
    if (path) settle(['selfHosted'], await ask('selfHosted', path))
  }
  return { target: complete, ended, stale }

  /** Asks for the same only once. */
  function ask(form: Form, path: string): Promise<Answer> {
    const key = `${form} ${path}`
    const answer = answers.get(key) ?? options.ask(form, path)
    answers.set(key, answer)
    return answer
  }

  async function lookAtOrganization(): Promise<void> {
    const [form] = inCloud as [Form]
    if (!complete.cloud?.organizationId) {
      const came = await ask(form, '/v1/organizations')
      settle(inCloud, came)
      const [organizationId] = idsIn(came, 'organization').filter(isUuid)
      if (organizationId) learn({ organizationId })
      return
    }
    // The managed form has its own look, and with it the same answers.
    if (form !== 'cloud') return
    const path = isOffered('member.list') ? pathOf('member.list', form, pathValues(target)) : undefined
    if (!path) return
    const came = await ask(form, path)
    // A role may forbid the members alone; a key that is not known is known nowhere.
    settle(statusOf(came) === 403 ? [form] : inCloud, came)
    if (!isUnknown(came) || (await knowsOrganization(complete.cloud.organizationId))) return
    end(
      inCloud,
      `the organization is not known there (${statusOf(came)} to GET ${path}): check ${placeOf(target, 'cloud.organizationId')}`,
    )
  }

  /** Asks for something else of the organization: if any of it is there, only the list of members is not. */
  async function knowsOrganization(organizationId: string): Promise<boolean> {
    for (const [form, path] of [
      ['cloud', pathOf('backup.get', 'cloud', pathValues(target))],
      ['managed', pathOf('dashboard.list', 'managed', pathValues(target))],
    ] as const) {
      const came = path && forms.includes(form) ? await ask(form, path) : undefined
      if (came && 'response' in came && isSuccess(came)) return true
    }
    const listed = idsIn(await ask('cloud', '/v1/organizations'), 'organization')
    return listed.some(id => sameId(id, organizationId))
  }

  /** A service or backup that answers 404 is looked for in the lists, and dropped when it is not listed. */
  async function dropStaleIds(): Promise<void> {
    const { organizationId, serviceId, backupId } = complete.cloud!
    if (!organizationId || !serviceId) return
    const [form] = inCloud.filter(one => !ended.has(one)) as [Form]
    const services = `/v1/organizations/${encodeURIComponent(organizationId)}/services`
    const looksForBackup = wantsBackup && backupId !== undefined && isOffered('backup.get') && !ended.has('cloud')
    const backup = looksForBackup ? pathOf('backup.get', 'cloud', pathValues(complete)) : undefined
    const isBackupUnknown = backup !== undefined && isUnknown(await ask('cloud', backup))
    if (backup !== undefined && !isBackupUnknown) return
    const [list] = inCloud.includes('managed') && !ended.has('managed') ? listsOfService() : []
    if (!list || isUnknown(await ask('managed', list))) {
      const listed = await listWhole(form, services, 'service')
      if (listed && !listed.some(id => sameId(id, serviceId))) {
        stale.push(sayStale('cloud.serviceId', serviceId, services, listed))
        forget('serviceId')
        if (isDangerous)
          end(
            ['managed'],
            `the service ${JSON.stringify(serviceId)} is not listed there, and nothing is written to one that the target file does not name: check ${placeOf(target, 'cloud.serviceId')}`,
          )
        return
      }
    }
    if (!isBackupUnknown) return
    const backups = `${services}/${encodeURIComponent(serviceId)}/backups`
    const listed = await listWhole('cloud', backups, 'backup')
    if (!listed || listed.some(id => sameId(id, backupId!))) return
    stale.push(sayStale('cloud.backupId', backupId!, backups, listed))
    forget('backupId')
  }

  /** The ids of a list that is whole, each item of which has one. */
  async function listWhole(form: Form, path: string, resource: string): Promise<readonly string[] | undefined> {
    const came = await ask(form, path)
    if (!came || !('response' in came) || !isWhole(came, resource)) return undefined
    const ids = listIn(came, resource)!.map(item => idOf(item, resource))
    return ids.every(id => id !== undefined) ? ids : undefined
  }

  async function findServiceAndBackup(): Promise<void> {
    const { organizationId, serviceId, backupId } = complete.cloud!
    const needsBackup = wantsBackup && isOffered('backup.get') && !ended.has('cloud')
    const needsService = !serviceId && (needsBackup || (inCloud.includes('managed') && !ended.has('managed')))
    if (!organizationId || !(needsService || (needsBackup && !backupId))) return
    const [form] = inCloud.filter(form => !ended.has(form)) as [Form]
    const services = `/v1/organizations/${encodeURIComponent(organizationId)}/services`
    const ids = serviceId ? [serviceId] : idsIn(await ask(form, services), 'service').filter(isUuid)
    if (needsBackup) {
      for (const id of ids.slice(0, MOST_SERVICES)) {
        const backups = idsIn(await ask(form, `${services}/${encodeURIComponent(id)}/backups`), 'backup').filter(isUuid)
        const found = backupId ? backups.find(one => sameId(one, backupId)) : backups[0]
        if (found) return learn({ serviceId: id, backupId: backupId ?? found })
      }
    }
    // A named backup belongs to one service, which must not be guessed.
    if (ids[0] && !(needsBackup && backupId)) learn({ serviceId: ids[0] })
  }

  async function lookAtService(): Promise<void> {
    const [first, ...others] = listsOfService()
    if (!first) return
    const came = await ask('managed', first)
    settle(['managed'], came)
    if (!isUnknown(came)) return
    // When another list answers, only this one is missing.
    for (const path of others) {
      const other = await ask('managed', path)
      if (!other || !isUnknown(other)) return
    }
    const fields = ['organizationId', 'serviceId', 'observabilitySegment'].map(name => placeOf(target, `cloud.${name}`))
    end(
      ['managed'],
      `the service has no observability API there (${statusOf(came)} to GET ${first}): check ${enumerate(fields)}, or list managed under notOffered`,
    )
  }

  function listsOfService(): readonly string[] {
    const lists = (['dashboard.list', 'source.list', 'alert.list'] as const).filter(isOffered)
    return lists.flatMap(list => pathOf(list, 'managed', pathValues(complete)) ?? [])
  }

  function forget(field: 'serviceId' | 'backupId'): void {
    const { [field]: _, ...cloud } = complete.cloud!
    complete = { ...complete, cloud }
  }

  function listOf(form: Form, lists: readonly OperationId[]): string | undefined {
    const [list] = lists.filter(isOffered)
    return list && pathOf(list, form, pathValues(target))
  }

  function isOffered(operation: OperationId): boolean {
    return !target.notOffered?.includes(operation)
  }

  function learn(found: { organizationId?: string; serviceId?: string; backupId?: string }): void {
    complete = { ...complete, cloud: { ...complete.cloud!, ...found } }
  }

  function end(which: readonly Form[], why: string): void {
    for (const form of which) if (!ended.has(form)) ended.set(form, why)
  }

  /** Ends forms whose credentials are refused, or whose address gives no answer. */
  function settle(which: readonly Form[], came: Answer): void {
    const part = which.includes('selfHosted') ? 'selfHosted' : 'cloud'
    const keys = part === 'selfHosted' ? ['apiKey'] : ['keyId', 'keySecret']
    const address = `${part}.baseUrl`
    if (!came) return
    if ('failed' in came) {
      const { baseUrl } = target[part]!
      const trouble = troubleOf(came.error)
      const says = trouble === 'silent' ? came.failed : reasonOf(came.error)
      end(which, sentences[trouble](baseUrl, placeOf(target, address), says))
      return
    }
    const { status } = came.response
    if (status !== 401 && status !== 403) return
    const places = keys.map(key => placeOf(target, `${part}.${key}`))
    const may = status === 403 ? ', and what that key may do' : ''
    end(which, `the credentials were refused (${status} to GET ${came.request.path}): check ${enumerate(places)}${may}`)
  }
}

const sentences: Record<Trouble, (baseUrl: string, place: string, says: string) => string> = {
  unreachable: (baseUrl, place, says) => `${baseUrl} cannot be reached (${says}): check ${place}, and that it is up`,
  untrusted: (baseUrl, _, says) =>
    `the certificate of ${baseUrl} is not trusted (${says}): name the file with the certificate of its authority in NODE_EXTRA_CA_CERTS`,
  misplaced: (baseUrl, place, says) => `the certificate of ${baseUrl} is not valid for it (${says}): check ${place}`,
  silent: (baseUrl, place, says) => `${baseUrl} does not answer (${says}): check ${place}`,
}

const statusOf = (came: Answer) => (came && 'response' in came ? came.response.status : undefined)

/** What an id that does not exist is answered with, in a list. */
const isUnknown = (came: Answer) => [400, 404].includes(statusOf(came) ?? 0)

const idsIn = (came: Answer, resource: string): string[] =>
  came && 'response' in came && isSuccess(came)
    ? (findList(came.json, resource) ?? []).flatMap(item => idOf(item, resource) ?? [])
    : []
