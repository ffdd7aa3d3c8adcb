import type { TargetFile } from '../../../../core/mock.ts'
import { type Choice, formNames, readAbout, readTarget } from '../about.ts'
import { append, element } from '../element.ts'
import { toMinute } from '../moments.ts'
import { badge, code, copyButton, definitions, quote, table } from '../parts.ts'

/** Where the mock is, how to get in, and what it was started as. */
export async function showOverview(place: HTMLElement): Promise<void> {
  const [about, target] = await Promise.all([readAbout(), readTarget()])
  const { cloud, selfHosted } = target
  const started = Object.entries(about.startedWith)
  append(place, [
    element('h1', 'A mock of the whole service, ready to be called'),
    element('p.facts', [
      element('span', ['Seed ', element('b', about.seed)]),
      element('span', ['World of ', element('time', { datetime: about.start }, [toMinute(about.start), ' UTC'])]),
      ...Object.entries(about.size).map(([name, count]) =>
        element('span', [element('b', count.toLocaleString('en')), ` ${sizeNames[name] ?? name}`]),
      ),
      about.version && element('span', `Version ${about.version}`),
    ]),
    started.length > 0 &&
      element('p.notice.calm', [
        'Started with ',
        started.map(([name, value], i) => [i > 0 && ', ', element('code', `--${name} ${value}`.trim())]),
      ]),
    element('div.columns', [cloud && cloudCard(cloud), selfHosted && selfHostedCard(selfHosted)]),
    element('section', { 'aria-labelledby': 'choices' }, [
      element('h2', { id: 'choices' }, 'Choices where the specification is silent'),
      element('p.quiet', 'Each can be taken otherwise: by the baseline of a deployment (--as), or by a seed (--gaps).'),
      choicesTable(about.choices),
    ]),
    element('section', { 'aria-labelledby': 'target' }, [
      element('h2', { id: 'target' }, 'Target file'),
      element('p.quiet', [
        'What stack-parity verify --target takes, with every id that a test may want. Also at ',
        element('a', { href: '/control/target' }, '/control/target'),
        '.',
      ]),
      element('details', [element('summary', 'Show it'), code(JSON.stringify(target, null, 2), 'target file')]),
    ]),
  ])
}

const sizeNames: Readonly<Record<string, string>> = {
  services: 'services each',
  members: 'members each',
  backups: 'backups of a service',
  logs: 'log rows',
}

function cloudCard(cloud: NonNullable<TargetFile['cloud']>): HTMLElement {
  const organization = `${cloud.baseUrl}/v1/organizations/${cloud.organizationId}`
  const stack = `${organization}/services/${cloud.serviceId}/${cloud.observabilitySegment}`
  const key = `curl -u ${quote(`${cloud.keyId}:${cloud.keySecret}`)} \\\n `
  const facts: readonly Fact[] = [
    ['Address', `${cloud.baseUrl}/v1`],
    ['Key id', cloud.keyId],
    ['Key secret', cloud.keySecret],
    ['Organization', cloud.organizationId],
    ['Service', cloud.serviceId],
    ['Backup', cloud.backupId],
  ]
  return card('cloud', 'Cloud and managed form', facts, [
    ['Members', `${key} ${quote(`${organization}/members`)}`],
    ['A backup', `${key} ${quote(`${organization}/services/${cloud.serviceId}/backups/${cloud.backupId}`)}`],
    ['Managed dashboards', `${key} ${quote(`${stack}/dashboards`)}`],
  ])
}

function selfHostedCard(selfHosted: NonNullable<TargetFile['selfHosted']>): HTMLElement {
  const base = `${selfHosted.baseUrl}/api/v2`
  const key = `curl -H ${quote(`Authorization: Bearer ${selfHosted.apiKey}`)} \\\n `
  const { dashboardId, tileId, webhookId, sources } = selfHosted.references
  const json = `-H 'Content-Type: application/json'`
  const now = Date.now()
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
  const post = (path: string, body: object) =>
    `${key} ${json} \\\n  ${quote(`${base}${path}`)} \\\n  -d ${quote(JSON.stringify(body))}`
  return card('self-hosted', 'Self-hosted form', facts, [
    ['Dashboards', `${key} ${quote(`${base}/dashboards`)}`],
    ['A new alert', post('/alerts', alert)],
    ['Errors by the hour', post('/charts/series', query)],
  ])
}

type Fact = readonly [name: string, value: string | undefined, note?: string]

type Program = readonly [heading: string, text: string]

/** A form: where it is, how to get in, and programs that run as they stand. */
function card(id: string, title: string, facts: readonly Fact[], programs: readonly Program[]): HTMLElement {
  const known = facts.flatMap(([name, value, note]) =>
    value === undefined
      ? []
      : [[name, [element('code', value), note && element('small', note), copyButton(value)]] as const],
  )
  return element('section.card', { 'aria-labelledby': id }, [
    element('h2', { id }, title),
    definitions('dl.pairs.lined', known),
    programs.map(([heading, text]) => [element('h3', heading), code(text)]),
  ])
}

function choicesTable(choices: readonly Choice[]): HTMLElement {
  const changed = choices.filter(({ usual, takes }) => usual !== takes)
  const row = ({ asks, section, form, takes, usual, because }: Choice) => [
    element('span', { title: because }, asks),
    `§${section}`,
    formNames[form] ?? form,
    element('span', [element('code', takes ?? ''), takes !== usual && [' ', badge(`instead of ${usual}`, 'note')]]),
  ]
  const columns = ['What is asked', '', 'Form', 'Taken']
  return element('div', [
    element('p', [
      changed.length === 0
        ? `All ${choices.length} are the usual ones.`
        : `${changed.length} of ${choices.length} differ from the usual ones.`,
    ]),
    changed.length > 0 && table('Choices that differ', columns, changed.map(row)),
    element('details', [
      element('summary', `All ${choices.length} choices`),
      table('All choices', columns, choices.map(row)),
    ]),
  ])
}
