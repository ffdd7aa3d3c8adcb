import type { Form, OperationId } from '../../fixtures/contract/index.ts'
import { type ConnectionFailure, failureOf, reasonOf } from '../engine/connection-failure.ts'
import { enumerate } from '../engine/enumerate.ts'
import { type Exchange, isServerError, isSuccess, parseJson } from '../engine/exchange.ts'
import { isReadToEnd, listIn } from '../engine/pages.ts'
import { pathOf, pathValues } from '../engine/paths.ts'
import { findList, idOf, idsOf, isUuid, sameId } from '../engine/recognise.ts'
import { withoutQuery } from '../engine/redact.ts'
import { type TargetFile, variableOrField } from '../engine/target/target.ts'
import { describeStaleReference } from './stale-references.ts'

/**
 * Sends one cheap list request to each form before all others. If credentials are refused, the organization is unknown, or the
 * address is unreachable or not that of this API, the target file is wrong: the form then ends with one sentence, instead of a
 * hundred failures or a locked key.
 */

/** `failed` is the reason why no answer came; undefined means that the request was not sent. */
export type Answer = Exchange | { readonly failed: string; readonly error?: unknown } | undefined

interface FirstLookOptions {
  readonly target: TargetFile
  /** The forms that the run sends requests to. */
  readonly forms: readonly Form[]
  /** True when the run reads a backup. */
  readonly wantsBackup: boolean
  /** True if the run writes to a deployment, which it does only in a service that the target file names. */
  readonly writesToDeployment: boolean
  /** Sends a GET with the good credentials. */
  readonly ask: (form: Form, path: string) => Promise<Answer>
}

/** Services that are searched for a backup. */
const MAX_SERVICES = 5
const ORGANIZATIONS = '/v1/organizations'

/**
 * Returns `target`, completed with ids from lists; `ended`, the reason for each form that was given up; and `stale`, a sentence
 * for each id of the target file that the deployment does not list.
 */
export async function readFirst(options: FirstLookOptions) {
  const { target, forms, wantsBackup, writesToDeployment } = options
  const ended = new Map<Form, string>()
  const stale: string[] = []
  const answers = new Map<string, Promise<Answer>>()
  const cloudForms = forms.filter(form => form !== 'selfHosted')
  const isActive = (form: Form) => forms.includes(form) && !ended.has(form)
  const isOffered = (operation: OperationId) => !target.notOffered?.includes(operation)
  const needsBackup = () => wantsBackup && isOffered('backup.get') && isActive('cloud')
  let completedTarget = target

  if (cloudForms.length > 0) {
    await endIfNotApi(cloudForms, pathsInCloud())
    if (cloudForms.some(isActive)) await readOrganization()
    if (cloudForms.some(isActive)) await dropStaleIds()
    if (cloudForms.some(isActive)) await findServiceAndBackup()
    if (isActive('managed')) await readService()
  }
  if (forms.includes('selfHosted')) {
    const lists = listsOf('selfHosted', ['dashboard.list', 'alert.list', 'source.list', 'webhook.list'])
    const [path] = lists
    if (path) endIfUnusable(['selfHosted'], await ask('selfHosted', path))
    if (isActive('selfHosted'))
      await endIfNotApi(
        ['selfHosted'],
        lists.map(list => ['selfHosted', list]),
      )
  }
  return { target: completedTarget, ended, stale }

  /** Sends equal requests only once. */
  function ask(form: Form, path: string): Promise<Answer> {
    const key = `${form} ${path}`
    const answer = answers.get(key) ?? options.ask(form, path)
    answers.set(key, answer)
    return answer
  }

  /** Paths at the address of the cloud forms, beginning with the request that the run needs anyway. */
  function pathsInCloud(): readonly (readonly [Form, string])[] {
    const [form] = cloudForms as [Form]
    const isNamed = target.cloud?.organizationId !== undefined
    const pathsOfCloud = isNamed ? listsOf('cloud', ['member.list', 'backup.get']) : []
    // Not every deployment lists organizations. The refusal of an unknown organization is evidence of the API, too.
    const pathOfUnknown = pathOf('member.list', 'cloud', { organizationId: crypto.randomUUID() })
    return [
      ...(form === 'cloud' ? pathsOfCloud.map(path => [form, path] as const) : []),
      ...(isActive('managed') ? listsOfService().map(path => ['managed', path] as const) : []),
      [form, ORGANIZATIONS],
      ...(isNamed || pathOfUnknown === undefined ? [] : [[form, pathOfUnknown] as const]),
    ]
  }

  /** Ends forms if no answer at their address can come from this API. */
  async function endIfNotApi(
    affectedForms: readonly Form[],
    paths: readonly (readonly [Form, string])[],
  ): Promise<void> {
    let first: Exchange | undefined
    for (const [form, path] of paths) {
      const exchange = exchangeOf(await ask(form, path))
      if (!exchange || isServerError(exchange) || isOfApi(exchange)) return
      first ??= exchange
    }
    if (!first) return
    const part = affectedForms.includes('selfHosted') ? 'selfHosted' : 'cloud'
    const { status, headers } = first.response
    if (status >= 300 && status < 400 && headers.location !== undefined)
      return end(
        affectedForms,
        `${target[part]!.baseUrl} redirects to ${withoutQuery(headers.location)} (${status} to GET ${first.request.path}), and redirects are not followed: check ${variableOrField(target, `${part}.baseUrl`)}`,
      )
    const type = headers['content-type'] ?? 'no media type'
    end(
      affectedForms,
      `${target[part]!.baseUrl} leads to something else: nothing there answers as this API does (${status}, ${type}, to GET ${first.request.path}): check ${variableOrField(target, `${part}.baseUrl`)}`,
    )
  }

  async function readOrganization(): Promise<void> {
    const [form] = cloudForms as [Form]
    const known = target.cloud?.organizationId
    if (!known) {
      const answer = await ask(form, ORGANIZATIONS)
      endIfUnusable(cloudForms, answer)
      const [organizationId] = idsIn(answer, 'organization').filter(isUuid)
      if (organizationId) complete({ organizationId })
      return
    }
    // Without the cloud form, `readService` sends the first request of the managed form.
    const [path] = form === 'cloud' ? listsOf(form, ['member.list']) : []
    if (!path) return
    const answer = await ask(form, path)
    // 403 may mean that the role of the key forbids this list only; 401 affects the managed form, too.
    endIfUnusable(statusOf(answer) === 403 ? [form] : cloudForms, answer)
    if (!isUnknown(answer) || (await knowsOrganization(known))) return
    const place = variableOrField(target, 'cloud.organizationId')
    end(cloudForms, `the organization is not known there (${statusOf(answer)} to GET ${path}): check ${place}`)
  }

  /** True if another request finds the organization, so that only the list of members is missing. */
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

  /** Drops the service or backup that the target file names, if requests for it answer 400 or 404 and no list shows it. */
  async function dropStaleIds(): Promise<void> {
    const { organizationId, serviceId, backupId } = completedTarget.cloud!
    if (!organizationId || !serviceId) return
    const backup = needsBackup() && backupId ? pathOf('backup.get', 'cloud', pathValues(completedTarget)) : undefined
    if (backup && !isUnknown(await ask('cloud', backup))) return
    const [list] = isActive('managed') ? listsOfService() : []
    const form = cloudForms.find(isActive)!
    if ((!list || isUnknown(await ask('managed', list))) && (await dropIfUnlisted('service', serviceId, form))) {
      if (!writesToDeployment) return
      const why = `the service ${JSON.stringify(serviceId)} is not listed there, and nothing is written to one that the target file does not name`
      end(['managed'], `${why}: check ${variableOrField(target, 'cloud.serviceId')}`)
    } else if (backup) await dropIfUnlisted('backup', backupId!, 'cloud')
  }

  /** Drops an id and returns true, if its list was read to the end and does not have it. */
  async function dropIfUnlisted(resource: 'service' | 'backup', id: string, form: Form): Promise<boolean> {
    const path = pathOf(`${resource}.list`, 'cloud', pathValues(completedTarget))!
    const exchange = exchangeOf(await ask(form, path))
    const listed = exchange && isReadToEnd(exchange, resource) ? idsOf(listIn(exchange, resource), resource) : undefined
    if (!listed || listed.some(one => sameId(one, id))) return false
    const field = `${resource}Id` as const
    stale.push(describeStaleReference(`cloud.${field}`, id, path, listed))
    const { [field]: _, ...cloud } = completedTarget.cloud!
    completedTarget = { ...completedTarget, cloud }
    return true
  }

  async function findServiceAndBackup(): Promise<void> {
    const { organizationId, serviceId, backupId } = completedTarget.cloud!
    const needsService = !serviceId && (needsBackup() || isActive('managed'))
    if (!organizationId || !(needsService || (needsBackup() && !backupId))) return
    const form = cloudForms.find(isActive)!
    const listIds = async (resource: 'service' | 'backup', service?: string) => {
      const path = pathOf(`${resource}.list`, 'cloud', { organizationId, serviceId: service })!
      return idsIn(await ask(form, path), resource).filter(isUuid)
    }
    const ids = serviceId ? [serviceId] : await listIds('service')
    if (needsBackup()) {
      for (const id of ids.slice(0, MAX_SERVICES)) {
        const backups = await listIds('backup', id)
        const backup = backupId ? backups.find(one => sameId(one, backupId)) : backups[0]
        if (backup) return complete({ serviceId: id, backupId: backupId ?? backup })
      }
    }
    // If the target file names a backup, its service must not be guessed.
    if (ids[0] && !(needsBackup() && backupId)) complete({ serviceId: ids[0] })
  }

  async function readService(): Promise<void> {
    const [first, ...others] = listsOfService()
    if (!first) return
    const answer = await ask('managed', first)
    endIfUnusable(['managed'], answer)
    if (!isUnknown(answer)) return
    // If another list answers, only this one is missing.
    for (const path of others) {
      const other = await ask('managed', path)
      if (!other || !isUnknown(other)) return
    }
    const fields = ['organizationId', 'serviceId', 'observabilitySegment'].map(name =>
      variableOrField(target, `cloud.${name}`),
    )
    end(
      ['managed'],
      `the service has no observability API there (${statusOf(answer)} to GET ${first}): check ${enumerate(fields)}, or list managed under notOffered`,
    )
  }

  function listsOfService(): readonly string[] {
    return listsOf('managed', ['dashboard.list', 'source.list', 'alert.list'])
  }

  function listsOf(form: Form, lists: readonly OperationId[]): readonly string[] {
    return lists.filter(isOffered).flatMap(list => pathOf(list, form, pathValues(completedTarget)) ?? [])
  }

  function complete(ids: { organizationId?: string; serviceId?: string; backupId?: string }): void {
    completedTarget = { ...completedTarget, cloud: { ...completedTarget.cloud!, ...ids } }
  }

  function end(affectedForms: readonly Form[], why: string): void {
    for (const form of affectedForms) if (!ended.has(form)) ended.set(form, why)
  }

  /** Ends forms whose credentials are refused, or whose address does not answer. */
  function endIfUnusable(affectedForms: readonly Form[], answer: Answer): void {
    const part = affectedForms.includes('selfHosted') ? 'selfHosted' : 'cloud'
    if (!answer) return
    if ('failed' in answer) {
      const { baseUrl } = target[part]!
      const failure = failureOf(answer.error)
      const sentence = failure === 'silent' || failure === 'slow' ? answer.failed : reasonOf(answer.error)
      end(affectedForms, failureSentences[failure](baseUrl, variableOrField(target, `${part}.baseUrl`), sentence))
      return
    }
    const { status } = answer.response
    if (status !== 401 && status !== 403) return
    const keys = part === 'selfHosted' ? ['apiKey'] : ['keyId', 'keySecret']
    const places = enumerate(keys.map(key => variableOrField(target, `${part}.${key}`)))
    const hint = status === 403 ? ', and what that key may do' : ''
    end(affectedForms, `the credentials were refused (${status} to GET ${answer.request.path}): check ${places}${hint}`)
  }
}

const failureSentences: Record<ConnectionFailure, (baseUrl: string, place: string, sentence: string) => string> = {
  unreachable: (baseUrl, place, sentence) =>
    `${baseUrl} cannot be reached (${sentence}): check ${place}, and that it is up`,
  proxy: (baseUrl, _, sentence) =>
    `${baseUrl} was not reached (${sentence}): check that proxy, or list the host in NO_PROXY`,
  untrusted: (baseUrl, _, sentence) =>
    `the certificate of ${baseUrl} is not trusted (${sentence}): name the file with the certificate of its authority in \`tls.ca\` of the target file, or in NODE_EXTRA_CA_CERTS`,
  misplaced: (baseUrl, place, sentence) =>
    `the certificate of ${baseUrl} is not valid for it (${sentence}): check ${place}`,
  anonymous: (baseUrl, _, sentence) =>
    `${baseUrl} asks for a client certificate (${sentence}): name its files in \`tls.cert\` and \`tls.key\` of the target file`,
  slow: (baseUrl, _, sentence) => `${baseUrl} did not answer in time (${sentence}): verify --timeout MS waits longer`,
  silent: (baseUrl, place, sentence) => `${baseUrl} does not answer (${sentence}): check ${place}`,
}

/** True for JSON, and for a refusal of credentials. A self-hosted API has at least one of its lists; another API has none. */
const isOfApi = ({ form, json, response: { status, text } }: Exchange) =>
  [401, 403].includes(status) ||
  // A byte order mark breaks rules about JSON, but it does not show another API.
  ((json ?? parseJson(text.replace(/^\uFEFF/, ''))) !== undefined && !(form === 'selfHosted' && status === 404))

const exchangeOf = (answer: Answer) => (answer && 'response' in answer ? answer : undefined)

const statusOf = (answer: Answer) => exchangeOf(answer)?.response.status

/** True for the statuses that unknown ids are answered with. */
const isUnknown = (answer: Answer) => [400, 404].includes(statusOf(answer) ?? 0)

const idsIn = (answer: Answer, resource: string): string[] => {
  const exchange = exchangeOf(answer)
  const list = isSuccess(exchange) ? findList(exchange.json, resource) : undefined
  return (list ?? []).flatMap(item => idOf(item, resource) ?? [])
}
