import { useEffect, useRef, useState } from 'preact/hooks'
import type { ExampleRequest, SendResult } from '../../../faces/control/page/answers.ts'
import type { TargetFile } from '../../../mock/mock.ts'
import { type Credentials, type Language, type Sending, snippets } from '../calls/snippets.ts'
import { controlAddress, fetchJson, pageAddress, read } from '../control.ts'
import { CopyButton, Failure, Form, Preformatted, Select, Switches, ViewWithoutData } from '../parts/elements.tsx'
import { type Description, type ListedOperation, operationsOf } from '../parts/openapi.ts'
import { useData } from '../reading.ts'
import type { Api } from '../state.ts'
import { Answer, Basis, Responses, SchemaTree, schemaOf } from './answers.tsx'
import { BodyEditor } from './body-editor.tsx'
import { ParameterField } from './parameter-field.tsx'

export const toneOfMethod = (method: string): string => ({ get: 'note', post: 'good', delete: 'bad' })[method] ?? ''

/** What the view keeps from one operation to the next: ids, and the language of the programs. */
export interface Preferences {
  readonly ids: Readonly<Record<string, string>>
  readonly language: Language
}

interface OperationProps {
  readonly api: Api
  readonly description: Description
  readonly target: TargetFile
  readonly listed: ListedOperation
  readonly preferences: Preferences
  readonly setPreferences: (change: Partial<Preferences>) => void
}

/** An operation: a form for its request, the answer, and the description of both. */
export function OperationView(props: OperationProps) {
  const { listed, preferences } = props
  const { operationId } = listed.operation
  const { data, error, refresh } = useData(
    () => read<ExampleRequest>(controlAddress(['requests', operationId], preferences.ids)),
    [JSON.stringify(preferences.ids)],
  )
  return data ? <RequestEditor {...props} offered={data} refresh={refresh} /> : <ViewWithoutData error={error} />
}

/** The value of a parameter, and whether it stands in a field for typing instead of the list of choices. */
interface ParameterValue {
  readonly value: string
  readonly isFree: boolean
}

function RequestEditor(
  props: OperationProps & { readonly offered: ExampleRequest; readonly refresh: () => Promise<void> },
) {
  const { api, description, target, listed, preferences, setPreferences, offered, refresh } = props
  const { method, path, operation } = listed
  const { schemas } = description.components
  const base = (api === 'cloud' ? target.cloud : target.selfHosted)?.baseUrl ?? ''
  const [values, setValues] = useState<Readonly<Record<string, ParameterValue>>>({})
  const [identity, setIdentity] = useState<number | undefined>(undefined)
  const [typedBody, setTypedBody] = useState<string | undefined>(undefined)
  const [answer, setAnswer] = useState<SendResult | string | undefined>(undefined)
  const [isSending, setSending] = useState(false)
  const answerArea = useRef<HTMLDivElement>(null)
  const sendButton = useRef<HTMLButtonElement>(null)
  useEffect(() => {
    // After an operation was opened by the keyboard, Enter sends it.
    if (document.activeElement?.matches('.index :focus-visible')) sendButton.current?.focus({ preventScroll: true })
  }, [])

  const parameters = operation.parameters ?? []
  const offeredFor = (name: string) => offered.parameters.find(one => one.name === name)!
  const currentValue = (name: string): ParameterValue => {
    const { value = '', choices, required } = offeredFor(name)
    const entered = values[name]
    const isValid =
      entered && (entered.isFree || entered.value === '' || choices.some(one => one.value === entered.value))
    if (isValid) return entered
    const isOffered = choices.some(one => one.value === value)
    return { value, isFree: !isOffered && (required || value !== '') }
  }
  const change = (name: string, value: string, isFree: boolean) => {
    setValues({ ...values, [name]: { value, isFree } })
    // The choices of the other parameters may depend on it.
    if (!isFree && path.includes(`{${name}}`)) setPreferences({ ids: { ...preferences.ids, [name]: value } })
  }

  const identities = listIdentities(api, target, operation.security?.length === 0)
  const organizationId =
    parameters.some(({ name }) => name === 'organizationId') && currentValue('organizationId').value
  const indexOfOrganization = identities.findIndex(one => one.organizationId === organizationId)
  const chosen = identity ?? (identities[0]?.credentials ? Math.max(0, indexOfOrganization) : 0)
  const credentials = identities[chosen]?.credentials

  const type = offered.text?.type ?? 'application/json'
  const hasBody = operation.requestBody !== undefined || offered.text !== undefined
  const example = offered.text?.body ?? JSON.stringify(offered.body, null, 2) ?? ''
  const body = hasBody ? (typedBody ?? example) : undefined

  const requestPath = parameters
    .filter(one => one.in === 'path')
    .reduce((text, { name }) => text.replace(`{${name}}`, encodeURIComponent(currentValue(name).value)), path)
  const query = new URLSearchParams(
    parameters
      .filter(one => one.in === 'query' && currentValue(one.name).value !== '')
      .map(({ name }) => [name, currentValue(name).value]),
  ).toString()
  const address = `${requestPath}${query && `?${query}`}`
  const sending: Sending = {
    method: method.toUpperCase(),
    url: base + address,
    ...(credentials && { credentials }),
    ...(body !== undefined && { body: { type, text: body } }),
  }
  const program = snippets[preferences.language](sending)

  const submit = async () => {
    setSending(true)
    try {
      const headers = { authorization: headerOf(credentials), ...(body !== undefined && { 'content-type': type }) }
      setAnswer(
        await fetchJson<SendResult>('POST', '/control/send', {
          api,
          method: sending.method,
          path: address,
          headers,
          body,
        }),
      )
      if (method !== 'get') await refresh()
    } catch (error) {
      setAnswer((error as Error).message)
    } finally {
      setSending(false)
      setTimeout(() => answerArea.current?.scrollIntoView({ block: 'nearest' }))
    }
  }
  return (
    <>
      <header class="stack">
        <h2 tabIndex={-1}>{operation.summary ?? operation.operationId}</h2>
        <p class="row">
          <span class={`verb tiny ${toneOfMethod(method)}`}>{method.toUpperCase()}</span>{' '}
          <code class="path">{markIds(path)}</code> <CopyButton text={base + address} label="Copy address" />
        </p>
        <p class="quiet">
          <Basis basis={operation['x-basis']} /> {operation.description}
        </p>
      </header>
      <div class="sides">
        <Form
          class="request"
          noValidate
          submit={submit}
          onKeyDown={event => {
            // In a select, Enter sends instead of opening its options: the arrow keys and the space bar open them, too.
            if (event.key !== 'Enter' || !(event.target instanceof HTMLSelectElement)) return
            event.preventDefault()
            void submit()
          }}
        >
          <section>
            <h3 class="row spread">Request</h3>
            <div class="stack">
              <label for="credentials">Credentials</label>
              <div class="stack">
                <Select
                  id="credentials"
                  options={identities.map(({ label }, at) => [String(at), label] as const)}
                  value={String(chosen)}
                  choose={at => setIdentity(Number(at))}
                />
              </div>
            </div>
            {parameters.map(parameter => (
              <ParameterField
                key={parameter.name}
                parameter={parameter}
                offered={offeredFor(parameter.name)}
                {...currentValue(parameter.name)}
                change={(value, isFree) => change(parameter.name, value, isFree)}
                createAddress={creatorOf(parameter.name, props)}
              />
            ))}
          </section>
          {body !== undefined && (
            <BodyEditor
              schema={offered.text ? undefined : schemaOf(operation.requestBody!)}
              schemas={schemas}
              choices={offered.choices}
              text={body}
              example={example}
              change={text => setTypedBody(text === example ? undefined : text)}
              send={submit}
            />
          )}
          <p class="row">
            <button
              type="submit"
              class="primary"
              disabled={isSending}
              title={isSending ? 'It is being sent.' : undefined}
              ref={sendButton}
            >
              Send
            </button>
            <small>{hasBody ? 'or press Enter, in the body Ctrl or ⌘ Enter' : 'or press Enter'}</small>
          </p>
        </Form>
        <div class="stack trial">
          <section class="programs">
            <h3 class="row spread">
              <Switches
                label="Language"
                names={Object.keys(snippets) as Language[]}
                pressed={preferences.language}
                choose={language => setPreferences({ language })}
                class="small"
              />
              <CopyButton text={program} />
            </h3>
            <Preformatted label="Program">{program}</Preformatted>
          </section>
          <div aria-live="polite" ref={answerArea}>
            {typeof answer === 'string' ? <Failure error={answer} /> : answer && <Answer {...answer} />}
          </div>
        </div>
        <div class="stack">
          {operation.requestBody && (
            <section>
              <h3>Fields of the body</h3>
              <SchemaTree schema={schemaOf(operation.requestBody)} schemas={schemas} />
            </section>
          )}
          <Responses operation={operation} description={description} />
        </div>
      </div>
    </>
  )
}

/** The address of the operation that creates the resource of a parameter. */
function creatorOf(name: string, { listed, api, description }: OperationProps): string | undefined {
  const [, prefix = '', resource = ''] = /^(.*?)(\w+)\.\w+$/.exec(listed.operation.operationId) ?? []
  const id = `${prefix}${name === 'id' ? resource : name.replace(/Id$/, '')}.create`
  const form = api === 'cloud' ? 'cloud' : 'self-hosted'
  return operationsOf(description).some(({ operation }) => operation.operationId === id)
    ? pageAddress('reference', form, id)
    : undefined
}

const markIds = (path: string) =>
  path.split(/(\{[^}]+\})/).map((part, at) => (part.startsWith('{') ? <em key={at}>{part}</em> : part))

/** Credentials for a request: valid ones, and some that are refused. */
interface Identity {
  readonly label: string
  readonly credentials?: Credentials
  /** The organization of the key. */
  readonly organizationId?: string | undefined
}

/** Lists the credentials for an API; the first are those of an ordinary client. */
function listIdentities(api: Api, target: TargetFile, isPublic: boolean): readonly Identity[] {
  const known = api === 'cloud' ? ofCloud(target) : ofSelfHosted(target)
  const none: Identity = { label: 'No credentials' }
  return isPublic ? [none, ...known] : [...known, none]
}

function ofCloud({ cloud }: TargetFile): readonly Identity[] {
  if (!cloud) return []
  const { keyId, keySecret, organizationId, secondKeyId, secondKeySecret, secondOrganizationId } = cloud
  const key = (label: string, user: string, password: string, organizationId?: string): Identity => ({
    label,
    credentials: { kind: 'basic', user, password },
    organizationId,
  })
  const second =
    secondKeyId === undefined
      ? []
      : [key('Key of the second organization', secondKeyId, secondKeySecret ?? '', secondOrganizationId)]
  return [
    key('Key of the first organization', keyId, keySecret, organizationId),
    ...second,
    key('Key with a wrong secret', keyId, 'a-wrong-secret'),
  ]
}

const ofSelfHosted = ({ selfHosted }: TargetFile): readonly Identity[] =>
  selfHosted
    ? [
        { label: 'Personal access key', credentials: { kind: 'bearer', token: selfHosted.apiKey } },
        { label: 'Ingestion key (refused)', credentials: { kind: 'bearer', token: selfHosted.ingestionKey } },
      ]
    : []

/** The authorization header. It is empty for no credentials: without a header, the control plane adds those of the world. */
function headerOf(credentials: Credentials | undefined): string {
  if (!credentials) return ''
  if (credentials.kind === 'bearer') return `Bearer ${credentials.token}`
  return `Basic ${btoa(`${credentials.user}:${credentials.password}`)}`
}
