import type { TargetFile } from '../../engine/target/target.ts'

/** The variables (`$NAME`) of the secrets, by their places in the target file. */
export type SecretNames = Readonly<Record<string, string>>

/** A field of the target file, its purpose, and the reason why it may lack a value. */
type Row = readonly [field: string, purpose: string, absence?: string]

const references: readonly Row[] = [
  ['dashboardId', 'a dashboard with a tile, for alerts', 'no dashboard is listed'],
  ['tileId', 'a tile of that dashboard', 'the dashboard has no tile'],
  ['webhookId', 'a webhook, for the channel of alerts; it is never called', 'no webhook is listed'],
  ['sourceId', 'a source of logs, for charts', 'no source is listed'],
]

const cloud: readonly Row[] = [
  ['baseUrl', 'the cloud management API, without /v1'],
  ['keyId', 'an API key of the organization'],
  ['keySecret', 'its secret'],
  ['organizationId', 'the organization of the key', 'no organization is listed'],
  ['secondOrganizationId', 'another organization, for isolation', 'the key sees one organization'],
  ['secondKeyId', 'an API key of that other organization', 'without it, the first key is tried there'],
  ['secondKeySecret', 'its secret, as $NAME'],
  ['serviceId', 'a service of the organization', 'no service is listed'],
  ['backupId', 'a backup of the service', 'none of the first services has a backup'],
  ['observabilitySegment', "the managed form's fixed path segment"],
]

const selfHosted: readonly Row[] = [
  ['baseUrl', 'the self-hosted observability API, without /api/v2'],
  ['apiKey', 'a personal API access key'],
  ['ingestionKey', 'the ingestion key; a must rule checks that it is refused', 'it was not given'],
]

/** Renders a target file with a remark on each field, and variables instead of secrets. */
export function renderTarget(target: TargetFile, secrets: SecretNames, remarks: readonly string[]): string {
  const parts = [
    ...remarks.map(remark => `  // ${remark}`),
    renderField('name', target.name, 'the name of the deployment in reports'),
    ...renderPart('cloud', target.cloud, cloud, secrets),
    ...renderPart('selfHosted', target.selfHosted, selfHosted, secrets),
    '  // "writes": true, // lets a run create objects, which it deletes at its end; false forbids it, also to --allow-writes',
    '  // "tls": { "ca": "ca.pem", "cert": "client.pem", "key": "client.key" }, // an own authority and a client certificate, beside this file',
    '  // "headers": { "x-gateway-secret": "$NAME" }, // for a gateway, with each request to this deployment',
    '  // "receiver": { "listen": "127.0.0.1:9009", "url": "https://me.example.com" }, // where a run with --allow-effects notifies gets what alerts notify',
    renderField(
      'notOffered',
      target.notOffered ?? [],
      'forms and operations that the deployment does not have, such as "backup.get"',
    ),
  ]
  return `{\n${parts.join('\n')}\n}\n`
}

function renderPart(name: string, part: object | undefined, rows: readonly Row[], secrets: SecretNames): string[] {
  if (!part) return []
  const values = part as Readonly<Record<string, unknown>>
  const named = (values.references ?? {}) as Readonly<Record<string, unknown>>
  return [
    `  ${JSON.stringify(name)}: {`,
    ...rows.map(row => renderRow(row, secrets[`${name}.${row[0]}`] ?? values[row[0]], '    ')),
    '    "references": {',
    ...references.map(row => renderRow(row, named[row[0]], '      ')),
    '      "sources": {',
    ...Object.entries(named.sources ?? {}).map(
      ([kind, id]) => `        ${JSON.stringify(kind)}: ${JSON.stringify(id)},`,
    ),
    '      },',
    '    },',
    '  },',
  ]
}

/** A field without a value is commented out, for the user to fill in. */
const renderRow = ([field, purpose, absence]: Row, value: unknown, indent: string): string =>
  value === undefined
    ? `${indent}// ${JSON.stringify(field)}: "", // ${purpose}${absence ? `; ${absence}` : ''}`
    : renderField(field, value, purpose, indent)

const renderField = (field: string, value: unknown, purpose: string, indent = '  '): string =>
  `${indent}${JSON.stringify(field)}: ${JSON.stringify(value)}, // ${purpose}`
