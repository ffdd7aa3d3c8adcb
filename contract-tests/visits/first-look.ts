import type { Form, OperationId } from '../../fixtures/contract/index.ts'
import { type ConnectionFailure, failureOf, reasonOf } from '../engine/connection-failure.ts'
import { enumerate } from '../engine/enumerate.ts'
import { type Exchange, isServerError, isSuccess } from '../engine/exchange.ts'
import { isWhole, listIn } from '../engine/pages.ts'
import { pathOf, pathValues } from '../engine/paths.ts'
import { findList, idOf, idsOf, isUuid, sameId } from '../engine/recognise.ts'
import { placeOf, type TargetFile } from '../engine/target/target.ts'
import { describeStaleReference } from './stale-references.ts'

/**
 * Sends one cheap list request to each form before all others. Refused credentials, an unknown organization, an
 * unreachable address or that of something else are mistakes in the target file: they end the form with one sentence,
 * instead of a hundred failures or a locked key.
 */

/** `failed`: why no answer came. Undefined: it was not sent. */
export type Answer = Exchange | { readonly failed: string; readonly error?: unknown } | undefined

interface FirstLookOptions {
  readonly target: TargetFile
  /** The forms that the run sends something to. */
  readonly forms: readonly Form[]
  /** True when the run reads a backup. */
  readonly wantsBackup: boolean
  /** True when the run writes beyond loopback: then only to a service that the file names. */
  readonly isDangerous: boolean
  /** Sends a GET with the good credentials. */
  readonly ask: (form: Form, path: string) => Promise<Answer>
}

/** Services that are searched for a backup. */
const MOST_SERVICES = 5
const ORGANIZATIONS = '/v1/organizations'

/**
 * Returns the target with the ids that reading found, why forms were given up, and a sentence for each id of the target
 * file that the deployment does not list.
 */
export async function readFirst(options: FirstLookOptions) {
  const { target, forms, wantsBackup, isDangerous } = options
  const ended = new Map<Form, string>()
  const stale: string[] = []
  const answers = new Map<string, Promise<Answer>>()
  const inCloud = forms.filter(form => form !== 'selfHosted')
  const isOpen = (form: Form) => forms.includes(form) && !ended.has(form)
  const isOffered = (operation: OperationId) => !target.notOffered?.includes(operation)
  const needsBackup = () => wantsBackup && isOffered('backup.get') && isOpen('cloud')
  let complete = target

  if (inCloud.length > 0) {
    await endElsewhere(inCloud, pathsInCloud())
    if (inCloud.some(isOpen)) await readOrganization()
    if (inCloud.some(isOpen)) await dropStaleIds()
    if (inCloud.some(isOpen)) await findServiceAndBackup()
    if (isOpen('managed')) await readService()
  }
  if (forms.includes('selfHosted')) {
    const lists = listsOf('selfHosted', ['dashboard.list', 'alert.list', 'source.list', 'webhook.list'])
    const [path] = lists
    if (path) settle(['selfHosted'], await ask('selfHosted', path))
    if (isOpen('selfHosted'))
      await endElsewhere(
        ['selfHosted'],
        lists.map(list => ['selfHosted', list]),
      )
  }
  return { target: complete, ended, stale }

  /** Sends each request once. */
  function ask(form: Form, path: string): Promise<Answer> {
    const key = `${form} ${path}`
    const answer = answers.get(key) ?? options.ask(form, path)
    answers.set(key, answer)
    return answer
  }

  /** Paths at the cloud's address, the usual first one ahead. */
  function pathsInCloud(): readonly (readonly [Form, string])[] {
    const [form] = inCloud as [Form]
    const known = target.cloud?.organizationId !== undefined
    const own = known ? listsOf('cloud', ['member.list', 'backup.get']) : []
    // Not every deployment lists organizations; the refusal of an unknown one shows the API as well.
    const unknown = pathOf('member.list', 'cloud', { organizationId: crypto.randomUUID() })
    return [
      ...(form === 'cloud' ? own.map(path => [form, path] as const) : []),
      ...(isOpen('managed') ? listsOfService().map(path => ['managed', path] as const) : []),
      [form, ORGANIZATIONS],
      ...(known || unknown === undefined ? [] : [[form, unknown] as const]),
    ]
  }

  /** Ends forms at an address where nothing answers as this API does: no JSON, no 401, 403 or 5xx. */
  async function endElsewhere(which: readonly Form[], paths: readonly (readonly [Form, string])[]): Promise<void> {
    let first: Exchange | undefined
    for (const [form, path] of paths) {
      const exchange = exchangeOf(await ask(form, path))
      if (!exchange || isServerError(exchange) || isOfApi(exchange)) return
      first ??= exchange
    }
    if (!first) return
    const part = which.includes('selfHosted') ? 'selfHosted' : 'cloud'
    const { status, headers } = first.response
    const type = headers['content-type'] ?? 'no media type'
    end(
      which,
      `${target[part]!.baseUrl} leads to something else: nothing there answers as this API does (${status}, ${type}, to GET ${first.request.path}): check ${placeOf(target, `${part}.baseUrl`)}`,
    )
  }

  async function readOrganization(): Promise<void> {
    const [form] = inCloud as [Form]
    const known = target.cloud?.organizationId
    if (!known) {
      const answer = await ask(form, ORGANIZATIONS)
      settle(inCloud, answer)
      const [organizationId] = idsIn(answer, 'organization').filter(isUuid)
      if (organizationId) learn({ organizationId })
      return
    }
    // The managed form has a first request of its own, with the same answers.
    const [path] = form === 'cloud' ? listsOf(form, ['member.list']) : []
    if (!path) return
    const answer = await ask(form, path)
    // A role may forbid the list of members alone; an unknown key is refused everywhere.
    settle(statusOf(answer) === 403 ? [form] : inCloud, answer)
    if (!isUnknown(answer) || (await knowsOrganization(known))) return
    const place = placeOf(target, 'cloud.organizationId')
    end(inCloud, `the organization is not known there (${statusOf(answer)} to GET ${path}): check ${place}`)
  }

  /** If anything else of the organization is there, only the list of members is missing. */
  async function knowsOrganization(organizationId: string): Promise<boolean> {
    for (const [form, path] of [
      ['cloud', pathOf('backup.get', 'cloud', pathValues(target))],
      ['managed', pathOf('dashboard.list', 'managed', pathValues(target))],
    ] as const) {
      const answer = path && forms.includes(form) ? await ask(form, path) : undefined
      if (isSuccess(exchangeOf(answer))) return true
    }
    const listed = idsIn(await ask('cloud', ORGANIZATIONS), 'organization')
    return listed.some(id => sameId(id, organizationId))
  }

  /** Drops an id whose object answers 404 and is not in a list. */
  async function dropStaleIds(): Promise<void> {
    const { organizationId, serviceId, backupId } = complete.cloud!
    if (!organizationId || !serviceId) return
    const backup = needsBackup() && backupId ? pathOf('backup.get', 'cloud', pathValues(complete)) : undefined
    if (backup && !isUnknown(await ask('cloud', backup))) return
    const [list] = isOpen('managed') ? listsOfService() : []
    const form = inCloud.find(isOpen)!
    if ((!list || isUnknown(await ask('managed', list))) && (await isStale('service', serviceId, form))) {
      if (!isDangerous) return
      const why = `the service ${JSON.stringify(serviceId)} is not listed there, and nothing is written to one that the target file does not name`
      end(['managed'], `${why}: check ${placeOf(target, 'cloud.serviceId')}`)
    } else if (backup) await isStale('backup', backupId!, 'cloud')
  }

  /** Drops an id of the target file that a whole list of its kind does not have. */
  async function isStale(resource: 'service' | 'backup', id: string, form: Form): Promise<boolean> {
    const path = pathOf(`${resource}.list`, 'cloud', pathValues(complete))!
    const exchange = exchangeOf(await ask(form, path))
    const listed = exchange && isWhole(exchange, resource) ? idsOf(listIn(exchange, resource), resource) : undefined
    if (!listed || listed.some(one => sameId(one, id))) return false
    const field = `${resource}Id` as const
    stale.push(describeStaleReference(`cloud.${field}`, id, path, listed))
    const { [field]: _, ...cloud } = complete.cloud!
    complete = { ...complete, cloud }
    return true
  }

  async function findServiceAndBackup(): Promise<void> {
    const { organizationId, serviceId, backupId } = complete.cloud!
    const needsService = !serviceId && (needsBackup() || isOpen('managed'))
    if (!organizationId || !(needsService || (needsBackup() && !backupId))) return
    const form = inCloud.find(isOpen)!
    const listed = async (resource: 'service' | 'backup', service?: string) => {
      const path = pathOf(`${resource}.list`, 'cloud', { organizationId, serviceId: service })!
      return idsIn(await ask(form, path), resource).filter(isUuid)
    }
    const ids = serviceId ? [serviceId] : await listed('service')
    if (needsBackup()) {
      for (const id of ids.slice(0, MOST_SERVICES)) {
        const backups = await listed('backup', id)
        const found = backupId ? backups.find(one => sameId(one, backupId)) : backups[0]
        if (found) return learn({ serviceId: id, backupId: backupId ?? found })
      }
    }
    // A named backup belongs to one service, which must not be guessed.
    if (ids[0] && !(needsBackup() && backupId)) learn({ serviceId: ids[0] })
  }

  async function readService(): Promise<void> {
    const [first, ...others] = listsOfService()
    if (!first) return
    const answer = await ask('managed', first)
    settle(['managed'], answer)
    if (!isUnknown(answer)) return
    // When another list answers, only this one is missing.
    for (const path of others) {
      const other = await ask('managed', path)
      if (!other || !isUnknown(other)) return
    }
    const fields = ['organizationId', 'serviceId', 'observabilitySegment'].map(name => placeOf(target, `cloud.${name}`))
    end(
      ['managed'],
      `the service has no observability API there (${statusOf(answer)} to GET ${first}): check ${enumerate(fields)}, or list managed under notOffered`,
    )
  }

  function listsOfService(): readonly string[] {
    return listsOf('managed', ['dashboard.list', 'source.list', 'alert.list'])
  }

  function listsOf(form: Form, lists: readonly OperationId[]): readonly string[] {
    return lists.filter(isOffered).flatMap(list => pathOf(list, form, pathValues(complete)) ?? [])
  }

  function learn(found: { organizationId?: string; serviceId?: string; backupId?: string }): void {
    complete = { ...complete, cloud: { ...complete.cloud!, ...found } }
  }

  function end(which: readonly Form[], why: string): void {
    for (const form of which) if (!ended.has(form)) ended.set(form, why)
  }

  /** Ends forms whose credentials are refused, or whose address gives no answer. */
  function settle(which: readonly Form[], answer: Answer): void {
    const part = which.includes('selfHosted') ? 'selfHosted' : 'cloud'
    if (!answer) return
    if ('failed' in answer) {
      const { baseUrl } = target[part]!
      const failure = failureOf(answer.error)
      const sentence = failure === 'silent' ? answer.failed : reasonOf(answer.error)
      end(which, sentences[failure](baseUrl, placeOf(target, `${part}.baseUrl`), sentence))
      return
    }
    const { status } = answer.response
    if (status !== 401 && status !== 403) return
    const keys = part === 'selfHosted' ? ['apiKey'] : ['keyId', 'keySecret']
    const places = enumerate(keys.map(key => placeOf(target, `${part}.${key}`)))
    const may = status === 403 ? ', and what that key may do' : ''
    end(which, `the credentials were refused (${status} to GET ${answer.request.path}): check ${places}${may}`)
  }
}

const sentences: Record<ConnectionFailure, (baseUrl: string, place: string, sentence: string) => string> = {
  unreachable: (baseUrl, place, sentence) =>
    `${baseUrl} cannot be reached (${sentence}): check ${place}, and that it is up`,
  untrusted: (baseUrl, _, sentence) =>
    `the certificate of ${baseUrl} is not trusted (${sentence}): name the file with the certificate of its authority in NODE_EXTRA_CA_CERTS`,
  misplaced: (baseUrl, place, sentence) =>
    `the certificate of ${baseUrl} is not valid for it (${sentence}): check ${place}`,
  silent: (baseUrl, place, sentence) => `${baseUrl} does not answer (${sentence}): check ${place}`,
}

/** JSON, or a refusal of credentials. */
const isOfApi = ({ json, response }: Exchange) => json !== undefined || [401, 403].includes(response.status)

const exchangeOf = (answer: Answer) => (answer && 'response' in answer ? answer : undefined)

const statusOf = (answer: Answer) => exchangeOf(answer)?.response.status

/** The statuses for an unknown id. */
const isUnknown = (answer: Answer) => [400, 404].includes(statusOf(answer) ?? 0)

const idsIn = (received: Answer, resource: string): string[] => {
  const exchange = exchangeOf(received)
  const list = isSuccess(exchange) ? findList(exchange.json, resource) : undefined
  return (list ?? []).flatMap(item => idOf(item, resource) ?? [])
}
