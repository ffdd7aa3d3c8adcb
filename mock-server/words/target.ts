/** The addresses, credentials and ids of a deployment: the file that `stack-parity verify --target` reads. */
export interface TargetFile {
  readonly name: string
  readonly cloud?: {
    readonly baseUrl: string
    readonly keyId: string
    readonly keySecret: string
    readonly organizationId: string
    readonly secondOrganizationId?: string
    readonly secondKeyId?: string
    readonly secondKeySecret?: string
    readonly serviceId: string
    readonly backupId: string
    readonly observabilitySegment: string
    readonly references: References
  }
  readonly selfHosted?: {
    readonly baseUrl: string
    readonly apiKey: string
    readonly ingestionKey: string
    readonly references: References & {
      readonly sourceId: string
      readonly connectionId: string
      readonly sources: Readonly<Record<string, string>>
    }
  }
  readonly control?: { readonly baseUrl: string }
  /** The listener for the SQL of services, and the file of its certificate authority. */
  readonly sql?: { readonly host: string; readonly port: number; readonly ca?: string }
  /** Forms and operations that the mock does not offer. */
  readonly notOffered?: readonly string[]
  readonly writes: true
}

export interface References {
  readonly dashboardId: string
  readonly tileId: string
  readonly webhookId: string
}

/** The addresses of the listeners; an API without one is left out of the target. */
export interface Bases {
  readonly cloud?: string
  readonly selfHosted?: string
  readonly control?: string
  /** The host of a service, in which `*` stands for the part of the service, and the port. */
  readonly sql?: { readonly hosts: string; readonly port: number; readonly ca?: string }
}

/** What the records of a world give a target file. */
export type CloudTarget = Omit<NonNullable<TargetFile['cloud']>, 'baseUrl' | 'observabilitySegment'>
export type SelfHostedTarget = Omit<NonNullable<TargetFile['selfHosted']>, 'baseUrl'>
