import type { RuleReport } from './report.ts'

const parameters: Readonly<Record<string, string>> = {
  organizations: ':organizationId',
  services: ':serviceId',
  backups: ':backupId',
  dashboards: ':dashboardId',
  alerts: ':alertId',
}

const id = /[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}|\b[0-9a-f]{24}\b/gi

/** The operation that a verdict is about, and the place in its answer: without ids, so that they are the same in every run. */
export function placeOf({ id: rule, form, detail, exchanges }: RuleReport) {
  const request = exchanges[0]?.request
  const template = request && templateOf(request.path)
  const [, path] = / at (\$[^\s)]*)\)(?:, and \d+ more)?$/.exec(detail) ?? []
  return {
    /** `GET /v1/organizations/:organizationId/members`; undefined without a request. */
    operation: request && `${request.method} ${template}`,
    /** `$.result[].role`; undefined when the detail names no place. */
    jsonPath: path?.replace(/\[\d+\]/g, '[]').replace(id, ':id'),
    /** A relative reference made of the form and the path, such as `cloud/v1/…`. */
    uri: `${form}${template ?? `/${rule}`}`,
  }
}

/** The path with names of parameters instead of ids, without its query. */
function templateOf(path: string): string {
  const segments = path.split('?')[0]!.split('/')
  return segments
    .map((segment, index) => {
      const parameter = segment === '' ? undefined : parameters[segments[index - 1] ?? '']
      return parameter ?? segment.replace(id, ':id').replace(/[^\w.~:-]/g, encodeURIComponent)
    })
    .join('/')
}

/** The 64-bit FNV-1a hash of texts: short and the same on every machine, but not cryptographic. */
export function fingerprint(...parts: readonly string[]): string {
  let hash = 0xcbf29ce484222325n
  for (const byte of new TextEncoder().encode(parts.join('\n'))) {
    hash = BigInt.asUintN(64, (hash ^ BigInt(byte)) * 0x100000001b3n)
  }
  return hash.toString(16).padStart(16, '0')
}
