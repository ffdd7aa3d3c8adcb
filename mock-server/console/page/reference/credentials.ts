import type { TargetFile } from '../../../mock/mock.ts'
import type { Credentials } from '../calls/snippets.ts'
import type { Api } from '../state.ts'

/** Credentials to send a request with: those that fit, and those that are refused. */
export interface Identity {
  readonly label: string
  readonly credentials?: Credentials
  /** The organization whose key it is. */
  readonly organizationId?: string | undefined
}

/** The first is the one that a client would use. */
export function listIdentities(api: Api, target: TargetFile, isPublic: boolean): readonly Identity[] {
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

/** The header of credentials. Empty for none: without the header, the control plane adds the credentials of the world. */
export function headerOf(credentials: Credentials | undefined): string {
  if (!credentials) return ''
  if (credentials.kind === 'bearer') return `Bearer ${credentials.token}`
  return `Basic ${btoa(`${credentials.user}:${credentials.password}`)}`
}
