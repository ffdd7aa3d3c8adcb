import type { TargetFile } from '../../../../core/mock.ts'
import { element } from '../element.ts'
import { select } from '../parts.ts'
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
  const known = api === 'cloud' ? ofCloud(target) : ofSelfHosted(target)
  const none: Option = { says: 'No credentials' }
  const all = isPublic ? [none, ...known] : [...known, none]
  let isChosen = false
  const choose = () => {
    isChosen = true
    changed()
  }
  const options = all.map(({ says }, at) => [String(at), says] as const)
  const list = select(options, '0', { id: 'credentials', onchange: choose })
  return {
    root: element('div.parameter', [
      element('label', { for: 'credentials' }, 'Credentials'),
      element('div.fills', list),
    ]),
    credentials: () => all[Number(list.value)]?.credentials,
    follow(organizationId) {
      const at = all.findIndex(one => one.organizationId === organizationId)
      if (!isChosen && !isPublic && at >= 0) list.value = String(at)
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
