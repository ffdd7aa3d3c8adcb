import type { TargetFile } from '../../../../core/mock.ts'
import { element, fill } from '../element.ts'
import type { Credentials } from '../snippets.ts'

export interface CredentialsField {
  readonly root: HTMLElement
  credentials(): Credentials | undefined
  /** Takes the key of an organization, unless somebody has chosen. */
  follow(organizationId: string): void
}

interface Option {
  readonly says: string
  readonly credentials?: Credentials
  readonly organizationId?: string
}

/** With whose credentials a request is sent: those that fit, and those that are refused. */
export function credentialsField(
  api: 'cloud' | 'selfHosted',
  target: TargetFile,
  isPublic: boolean,
  changed: () => void,
): CredentialsField {
  const options = api === 'cloud' ? ofCloud(target) : ofSelfHosted(target)
  const none: Option = { says: 'No credentials' }
  const all = isPublic ? [none, ...options] : [...options, none]
  let isChosen = false
  const select = element('select', { id: 'credentials' })
  fill(select, [all.map(({ says }, at) => element('option', { value: at }, says))])
  select.addEventListener('change', () => {
    isChosen = true
    changed()
  })
  return {
    root: element('div.parameter', [
      element('label', { for: 'credentials' }, 'Credentials'),
      element('div.fills', select),
    ]),
    credentials: () => all[Number(select.value)]?.credentials,
    follow(organizationId) {
      const at = all.findIndex(one => one.organizationId === organizationId)
      if (!isChosen && !isPublic && at >= 0) select.value = String(at)
    },
  }
}

function ofCloud({ cloud }: TargetFile): readonly Option[] {
  if (!cloud) return []
  const { keyId, keySecret, organizationId, secondKeyId, secondKeySecret, secondOrganizationId } = cloud
  const key = (says: string, user: string, password: string, organizationId?: string): Option => ({
    says,
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

const ofSelfHosted = ({ selfHosted }: TargetFile): readonly Option[] =>
  selfHosted
    ? [
        { says: 'Personal access key', credentials: { kind: 'bearer', token: selfHosted.apiKey } },
        { says: 'Ingestion key (refused)', credentials: { kind: 'bearer', token: selfHosted.ingestionKey } },
      ]
    : []
