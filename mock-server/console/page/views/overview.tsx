import type { About } from '../../../faces/control/page/answers.ts'
import type { TargetFile } from '../../../mock/mock.ts'
import { type Credentials, snippets } from '../calls/snippets.ts'
import { inWorld, readAbout, readTarget } from '../control.ts'
import { toMinute } from '../moments.ts'
import { Card, Code, CopyButton, Definitions, Program, ViewWithoutData } from '../parts/elements.tsx'
import { useData } from '../reading.ts'
import { usePage } from '../state.ts'

const sizeNames: Readonly<Record<string, string>> = {
  services: 'services each',
  members: 'members each',
  backups: 'backups of a service',
  logs: 'log rows',
}

/** The addresses and credentials of the mock, and how it was started. */
export function Overview() {
  const { data, error } = useData(() => Promise.all([readAbout(), readTarget()]), [])
  const title = 'A mock of the whole service, ready to be called'
  if (!data) return <ViewWithoutData title={title} error={error} />
  const [about, target] = data
  return (
    <>
      <h1>{title}</h1>
      <Facts about={about} target={target} />
    </>
  )
}

function Facts({ about, target }: { readonly about: About; readonly target: TargetFile }) {
  const { cloud, selfHosted } = target
  const started = Object.entries(about.startedWith)
  const total = about.choices.length
  const unchanged = about.choices.filter(({ defaultChoice, choice }) => defaultChoice === choice).length
  return (
    <>
      <p class="row facts">
        <span>
          Seed <b>{about.seed}</b>
        </span>
        <span>
          World of <time dateTime={about.start}>{`${toMinute(about.start)} UTC`}</time>
        </span>
        {Object.entries(about.size).map(([name, number]) => (
          <span key={name}>
            <b>{number.toLocaleString('en')}</b> {sizeNames[name] ?? name}
          </span>
        ))}
        {about.version && <span>Version {about.version}</span>}
      </p>
      {started.length > 0 && (
        <p class="notice harmless">
          Started with{' '}
          {started.map(([name, value], i) => [i > 0 && ', ', <code key={name}>{`--${name} ${value}`.trim()}</code>])}
        </p>
      )}
      <p class="quiet">
        {`Where the specification is silent, ${unchanged === total ? 'all' : `${unchanged} of`} ${total} choices are the defaults: `}
        <a href="#/faults">see and change them</a>.
      </p>
      <div class="columns">
        {cloud && <CloudCard {...cloud} />}
        {selfHosted && <SelfHostedCard {...selfHosted} />}
      </div>
      <section aria-labelledby="target">
        <h2 id="target">Target file</h2>
        <p class="quiet">
          The file for stack-parity verify --target, with every id that a test needs. Also at{' '}
          <a href={inWorld('/control/target')}>/control/target</a>.
        </p>
        <details>
          <summary>Show it</summary>
          <Code text={JSON.stringify(target, null, 2)} label="target file as JSON" />
        </details>
      </section>
    </>
  )
}

function CloudCard(cloud: NonNullable<TargetFile['cloud']>) {
  const organization = `${cloud.baseUrl}/v1/organizations/${cloud.organizationId}`
  const stack = `${organization}/services/${cloud.serviceId}/${cloud.observabilitySegment}`
  const facts: readonly Fact[] = [
    ['Address', `${cloud.baseUrl}/v1`],
    ['Key id', cloud.keyId],
    ['Key secret', cloud.keySecret],
    ['Organization', cloud.organizationId],
    ['Service', cloud.serviceId],
    ['Backup', cloud.backupId],
  ]
  const programs: readonly Example[] = [
    ['Members', `${organization}/members`],
    ['A backup', `${organization}/services/${cloud.serviceId}/backups/${cloud.backupId}`],
    ['Managed dashboards', `${stack}/dashboards`],
  ]
  const credentials = { kind: 'basic', user: cloud.keyId, password: cloud.keySecret } as const
  return <FormCard title="Cloud and managed form" {...{ facts, programs, credentials }} />
}

function SelfHostedCard(selfHosted: NonNullable<TargetFile['selfHosted']>) {
  const base = `${selfHosted.baseUrl}/api/v2`
  const { dashboardId, tileId, webhookId, sources } = selfHosted.references
  const now = usePage().now()
  const query = {
    startTime: now - 86_400_000,
    endTime: now,
    granularity: '1h',
    series: [{ sourceId: sources.log, aggFn: 'count', where: 'SeverityText:ERROR', groupBy: [] }],
  }
  const alert = {
    name: 'Errors',
    source: 'tile',
    dashboardId,
    tileId,
    threshold: 10,
    thresholdType: 'above',
    interval: '1h',
    channel: { type: 'webhook', webhookId },
  }
  const facts: readonly Fact[] = [
    ['Address', base],
    ['API key', selfHosted.apiKey],
    ['Ingestion key', selfHosted.ingestionKey, 'refused everywhere, as it should be'],
    ['Dashboard', dashboardId],
    ['Tile', tileId],
    ['Webhook', webhookId],
  ]
  const programs: readonly Example[] = [
    ['Dashboards', `${base}/dashboards`],
    ['A new alert', `${base}/alerts`, alert],
    ['Errors by the hour', `${base}/charts/series`, query],
  ]
  const credentials = { kind: 'bearer', token: selfHosted.apiKey } as const
  return <FormCard title="Self-hosted form" {...{ facts, programs, credentials }} />
}

type Fact = readonly [name: string, value: string | undefined, note?: string]
type Example = readonly [heading: string, url: string, body?: object]

interface FormProps {
  readonly title: string
  readonly facts: readonly Fact[]
  readonly programs: readonly Example[]
  readonly credentials: Credentials
}

/** A form of the API: address, credentials, ids, and programs that can be run as they are. */
function FormCard({ title, facts, programs, credentials }: FormProps) {
  const pairs = facts.flatMap(([name, value, note]) =>
    value === undefined
      ? []
      : [[name, [<code>{value}</code>, note && <small>{note}</small>, <CopyButton text={value} />]] as const],
  )
  return (
    <Card title={title}>
      <Definitions class="pairs lined" pairs={pairs} />
      {programs.map(([heading, url, json]) => {
        const body = json && { type: 'application/json', text: JSON.stringify(json) }
        return (
          <Program
            key={heading}
            title={heading}
            text={snippets.curl({ method: json ? 'POST' : 'GET', url, credentials, ...(body && { body }) })}
          />
        )
      })}
    </Card>
  )
}
