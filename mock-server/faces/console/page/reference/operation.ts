import type { JournalEntry, TargetFile } from '../../../../core/mock.ts'
import type { Sent } from '../../../control/send-call.ts'
import type { OfferedRequest } from '../../offer-request.ts'
import { ask, controlAddress, pageAddress, read } from '../ask.ts'
import { append, element, fill } from '../element.ts'
import type { Description } from '../openapi.ts'
import { copyButton, switches } from '../parts.ts'
import { basisBadge, schemaTree } from '../schema-tree.ts'
import { type Credentials, type Language, type Sending, snippets } from '../snippets.ts'
import { renderAnswer } from './answer.ts'
import { createBodyEditor } from './body-editor.ts'
import { credentialsField } from './credentials.ts'
import type { ListedOperation } from './list-operations.ts'
import { parameterField } from './parameters.ts'
import { renderResponses, schemaOf } from './responses.ts'

/** What stays from one operation to the next: ids that were chosen, and the language of the snippets. */
export interface Kept {
  readonly ids: Record<string, string>
  language: Language
}

export interface Reference {
  readonly api: 'cloud' | 'selfHosted'
  readonly description: Description
  readonly target: TargetFile
  readonly kept: Kept
}

/** One operation: what it takes, filled in; a request to send and to copy; what came back; what it may answer. */
export async function showOperation(place: HTMLElement, listed: ListedOperation, reference: Reference): Promise<void> {
  const { api, description, target, kept } = reference
  const { method, path, operation } = listed
  const { schemas } = description.components
  const base = (api === 'cloud' ? target.cloud : target.selfHosted)?.baseUrl ?? ''
  const offer = () => read<OfferedRequest>(controlAddress(['requests', operation.operationId], kept.ids))
  let offered = await offer()

  const isPublic = operation.security?.length === 0
  const answer = element('div.answers', { 'aria-live': 'polite' })
  const as = credentialsField(api, target, isPublic, () => draw())
  const fields = (operation.parameters ?? []).map(parameter => {
    const choose = async (isChosen: boolean) => {
      const { name } = parameter
      if (isChosen && parameter.in === 'path') {
        kept.ids[name] = readField(name)
        // What lies within it is another now.
        if (operation.parameters!.at(-1) !== parameter) await refresh()
      }
      draw()
    }
    return parameterField(parameter, choose, creatorOf(parameter.name, listed, reference))
  })
  const readField = (name: string) => fields.find(field => field.name === name)!.value()
  const type = offered.text?.type ?? 'application/json'
  const hasBody = operation.requestBody !== undefined || offered.text !== undefined
  const editor = hasBody
    ? createBodyEditor(
        offered.text ? undefined : schemaOf(operation.requestBody!),
        schemas,
        () => draw(),
        () => submit(),
      )
    : undefined

  const fillIn = () => {
    for (const field of fields) field.offer(offered.parameters.find(({ name }) => name === field.name)!)
    const organization = offered.parameters.find(({ name }) => name === 'organizationId')?.value
    if (organization !== undefined) as.follow(organization)
    editor?.offer(offered.text?.body ?? JSON.stringify(offered.body, null, 2), offered.choices)
  }
  const refresh = async () => {
    offered = await offer()
    fillIn()
  }

  /** The request as it stands, below the address of the API. */
  const compose = () => {
    const values = (where: string) => fields.filter((_, at) => operation.parameters![at]!.in === where)
    const filled = values('path').reduce(
      (text, field) => text.replace(`{${field.name}}`, encodeURIComponent(field.value())),
      path,
    )
    const sent = values('query').flatMap(field => (field.value() === '' ? [] : [[field.name, field.value()]]))
    const query = new URLSearchParams(sent).toString()
    return { address: `${filled}${query && `?${query}`}`, credentials: as.credentials(), body: editor?.text() }
  }

  const program = element('pre', { tabindex: 0, 'aria-label': 'Program' })
  const writeProgram = (language: Language) => {
    const { address, credentials, body } = compose()
    const sending: Sending = {
      ...{ method: method.toUpperCase(), url: base + address, credentials },
      ...(body !== undefined && { body: { type, text: body } }),
    }
    return snippets[language](sending)
  }
  const speak = (language: Language) => {
    kept.language = language
    draw()
  }
  const languages = switches(Object.keys(snippets) as Language[], kept.language, speak, { class: 'small' })
  const draw = () => {
    program.textContent = writeProgram(kept.language)
  }

  const button = element('button.primary', { type: 'submit' }, 'Send')
  const submit = async () => {
    button.disabled = true
    try {
      const { address, credentials, body } = compose()
      const headers = { authorization: headerOf(credentials), ...(body !== undefined && { 'content-type': type }) }
      const call = { api, method: method.toUpperCase(), path: address, headers, body }
      const sent = await ask<Sent>('POST', '/control/send', call)
      const [entry] = await read<readonly JournalEntry[]>('/control/calls?limit=1')
      fill(answer, renderAnswer(sent, entry?.request.path === address ? entry.because : sent.cause))
      if (method !== 'get') await refresh()
    } catch (error) {
      fill(answer, element('p.notice', { role: 'alert' }, (error as Error).message))
    } finally {
      button.disabled = false
      if (document.activeElement === document.body) button.focus({ preventScroll: true })
      if (answer.getBoundingClientRect().top > innerHeight) answer.scrollIntoView({ block: 'nearest' })
    }
  }

  const form = element('form.request', { novalidate: true }, [
    element('section', [element('h3', 'Request'), as.root, ...fields.map(({ root }) => root)]),
    editor?.root,
    element('p.sends', [
      button,
      element('small', editor ? 'or press Enter, in the body Ctrl or ⌘ Enter' : 'or press Enter'),
    ]),
  ])
  // Lists open by the arrows and the space bar; Enter sends from them, too.
  form.addEventListener('keydown', event => {
    if (event.key !== 'Enter' || !(event.target instanceof HTMLSelectElement)) return
    event.preventDefault()
    void submit()
  })
  form.addEventListener('submit', event => {
    event.preventDefault()
    void submit()
  })

  fillIn()
  draw()
  append(place, [
    element('header', [
      element('h2', { tabindex: -1 }, operation.summary ?? operation.operationId),
      element('p.address', [
        element('span', { class: `verb ${method}` }, method.toUpperCase()),
        ' ',
        element('code.path', markIds(path)),
        ' ',
        copyButton(() => base + compose().address, 'Copy address'),
      ]),
      element('p.quiet', [basisBadge(operation['x-basis']), ' ', operation.description ?? '']),
    ]),
    element('div.sides', [
      form,
      element('div.trial', [
        element('section.programs', [
          element('h3', [
            element('span.switches', { role: 'group', 'aria-label': 'Language' }, languages),
            copyButton(() => writeProgram(kept.language)),
          ]),
          program,
        ]),
        answer,
      ]),
      element('div.told', [
        operation.requestBody &&
          element('section', [
            element('h3', 'Fields of the body'),
            schemaTree(schemaOf(operation.requestBody), schemas),
          ]),
        renderResponses(operation, description),
      ]),
    ]),
  ])
}

/** The address of the operation that creates what a parameter names. */
function creatorOf(name: string, { operation }: ListedOperation, { api, description }: Reference): string | undefined {
  const [, own = '', resource = ''] = /^(.*?)(\w+)\.\w+$/.exec(operation.operationId) ?? []
  const id = `${own}${name === 'id' ? resource : name.replace(/Id$/, '')}.create`
  const all = Object.values(description.paths).flatMap(one => Object.values(one))
  const form = api === 'cloud' ? 'cloud' : 'self-hosted'
  return all.some(one => one.operationId === id) ? pageAddress('reference', form, id) : undefined
}

const markIds = (path: string) =>
  path.split(/(\{[^}]+\})/).map(part => (part.startsWith('{') ? element('em', part) : part))

/** An empty text sends none: without the header, the control plane puts in its own. */
function headerOf(credentials: Credentials | undefined): string {
  if (!credentials) return ''
  if (credentials.kind === 'bearer') return `Bearer ${credentials.token}`
  return `Basic ${btoa(`${credentials.user}:${credentials.password}`)}`
}
