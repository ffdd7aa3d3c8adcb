import type { RuleReport } from './report.ts'

/** Where a verdict was reached: the operation and the place in its answer, the same in every run. */
export interface Place {
  /** `GET /v1/organizations/:organizationId/members`, or nothing when no request was made. */
  readonly operation: string | undefined
  /** `$.result[].role`, when the detail names a place. */
  readonly jsonPath: string | undefined
  /** A relative reference that stands for the operation in a form, `cloud/v1/…`. */
  readonly uri: string
}

const parameters: Readonly<Record<string, string>> = {
  organizations: ':organizationId',
  services: ':serviceId',
  backups: ':backupId',
  dashboards: ':dashboardId',
  alerts: ':alertId',
}

const id = /[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}|\b[0-9a-f]{24}\b/gi

export function placeOf({ id: rule, form, detail, exchanges }: RuleReport): Place {
  const request = exchanges[0]?.request
  const template = request && templateOf(request.path)
  const [, path] = / at (\$[^\s)]*)\)(?:, and \d+ more)?$/.exec(detail) ?? []
  return {
    operation: request && `${request.method} ${template}`,
    jsonPath: path?.replace(/\[\d+\]/g, '[]').replace(id, ':id'),
    uri: `${form}${template ?? `/${rule}`}`,
  }
}

/** A path with the names of its parameters instead of the ids of one deployment, and without its query. */
function templateOf(path: string): string {
  const segments = path.split('?')[0]!.split('/')
  return segments
    .map((segment, index) => {
      const parameter = segment === '' ? undefined : parameters[segments[index - 1] ?? '']
      return parameter ?? segment.replace(id, ':id').replace(/[^\w.~:-]/g, encodeURIComponent)
    })
    .join('/')
}

/** 64 bits of FNV-1a: short, the same everywhere, and no secret. */
export function fingerprint(...parts: readonly string[]): string {
  let hash = 0xcbf29ce484222325n
  for (const byte of new TextEncoder().encode(parts.join('\n'))) {
    hash = BigInt.asUintN(64, (hash ^ BigInt(byte)) * 0x100000001b3n)
  }
  return hash.toString(16).padStart(16, '0')
}
