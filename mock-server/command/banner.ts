import { loopbackHost } from '../../fixtures/targets/loopback.ts'
import { describeChaos } from '../chaos/describe-chaos.ts'
import type { Chaos, TargetFile } from '../mock/mock.ts'
import { createPaints } from './render-call.ts'

interface BannerFacts {
  readonly target: TargetFile
  readonly version: string
  readonly seed: number
  readonly host: string
  readonly hasColours: boolean
  readonly consoleToken?: string
  /** The address of the cloud API over TLS. */
  readonly tlsUrl?: string
  readonly chaos: Chaos
  readonly scenario?: string
  readonly telemetry?: string
  /** The engine of --sql, and the password of the first service. */
  readonly sql?: { readonly engine: string; readonly password?: string }
}

/** The text that is printed at the start: addresses, credentials, and a command to try for each form. */
export function renderBanner(facts: BannerFacts): string {
  const { target, version, seed, host, hasColours, consoleToken, tlsUrl, scenario, chaos, telemetry, sql } = facts
  const { bold, dim, yellow, cyan } = createPaints(hasColours)
  const row = (name: string, value: string, note = '') => `  ${name.padEnd(18)}${value}${note && `  ${dim(note)}`}`

  const lines = [`${bold('stack-parity mock')} ${dim(version)}`, '']
  const { cloud, selfHosted, control } = target
  if (cloud) lines.push(row('Cloud, managed', cyan(`${cloud.baseUrl}/v1`)))
  if (tlsUrl) lines.push(row('Cloud over TLS', cyan(`${tlsUrl}/v1`)))
  if (selfHosted) lines.push(row('Self-hosted', cyan(`${selfHosted.baseUrl}/api/v2`)))
  if (control) lines.push(row('Console', cyan(control.baseUrl), 'control plane: /control'))
  if (control && consoleToken) lines.push(row('Console token', consoleToken, 'the page asks for it once; or Bearer'))
  lines.push(row('Seed', String(seed), 'the same seed gives the same world'))
  if (telemetry) lines.push(row('Telemetry', telemetry))
  if (sql && target.sql)
    lines.push(row('SQL of services', cyan(`https://${target.sql.host}:${target.sql.port}`), sql.engine))
  if (scenario) lines.push(row('Scenario', scenario))
  const disturbances = describeChaos(chaos).join(', ')
  if (disturbances) lines.push(row('Chaos', yellow(disturbances), 'x-stack-parity-chaos: off exempts a call'))
  lines.push('')

  const examples: string[] = []
  if (cloud) {
    const organization = `${cloud.baseUrl}/v1/organizations/${cloud.organizationId}`
    const stack = `${organization}/services/${cloud.serviceId}/${cloud.observabilitySegment}`
    const key = `curl -u ${quote(`${cloud.keyId}:${cloud.keySecret}`)}`
    lines.push(row('Key id', cloud.keyId, 'cloud, managed: HTTP Basic'), row('Key secret', cloud.keySecret))
    examples.push(`${key} ${quote(`${organization}/members`)}`, `${key} ${quote(`${stack}/dashboards`)}`)
  }
  if (sql?.password && target.sql) {
    lines.push(row('Service password', sql.password, 'of the first service, user default'))
    const address = `http://${target.sql.host}:${target.sql.port}`
    examples.push(`curl -u ${quote(`default:${sql.password}`)} ${quote(address)} -d ${quote('SELECT 1')}`)
  }
  if (selfHosted) {
    lines.push(row('API key', selfHosted.apiKey, 'self-hosted: Bearer'))
    lines.push(row('Ingestion key', selfHosted.ingestionKey, 'refused everywhere, as on deployments'))
    const key = `curl -H ${quote(`Authorization: Bearer ${selfHosted.apiKey}`)}`
    examples.push(`${key} ${quote(`${selfHosted.baseUrl}/api/v2/dashboards`)}`)
  }
  lines.push('', dim('  Try'), ...examples.map(line => `  ${line}`), '')
  if (cloud && cloud.observabilitySegment !== 'clickstack')
    lines.push(dim('  For Terraform and clickhousectl, start it with --as clickhouse-cloud.'), '')
  if (!loopbackHost.test(host)) {
    lines.push(yellow(`  ${host} is not loopback: everybody who can connect to this machine can use the mock.`), '')
  }
  lines.push(dim('  Ctrl-C stops it.'), '')
  return lines.join('\n')
}

const quote = (word: string) => `'${word.replaceAll("'", `'\\''`)}'`
