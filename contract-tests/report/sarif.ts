import { formNames, listForms, notices, outline, renderValue } from './outline.ts'
import {
  type Drift,
  type ExchangeReport,
  failsRun,
  isFailLevel,
  isStale,
  isUsed,
  type Report,
  type RuleReport,
} from './report.ts'
import { describeUses } from './used-by.ts'
import { showUnseen } from './visible.ts'

/**
 * SARIF 2.1.0: a rule for each rule of the suite, and a result for each verdict that is broken, known to be broken or listed
 * as such although it holds, and for each drift. Code scanning requires a file for every result. The path of the operation
 * takes its place (`cloud/v1/organizations/:organizationId/members`), which is the same in every run and deployment.
 */
export function renderSarif(report: Report): string {
  const descriptors = [
    ...outline(report).flatMap(section => describeRules(report, section)),
    ...describeDrift(report.drift),
  ]
  const index = new Map(descriptors.map(({ id }, position) => [id, position]))
  const results = [...report.rules.flatMap(verdict => resultOf(report, verdict)), ...report.drift.map(resultOfDrift)]
  const { tool, target } = report
  const sarif = {
    $schema: 'https://json.schemastore.org/sarif-2.1.0.json',
    version: '2.1.0',
    runs: [
      {
        tool: { driver: { name: tool.name, version: tool.version, rules: descriptors } },
        automationDetails: { id: `${tool.name}/${target.name.replace(/[^\w.-]+/g, '-')}/` },
        invocations: [describeInvocation(report)],
        redactionTokens: ['[redacted]'],
        columnKind: 'utf16CodeUnits',
        results: results.map(result => ({ ...result, ruleIndex: index.get(result.ruleId) })),
        properties: { target: target.name, forms: target.forms, requests: report.requests },
      },
    ],
  }
  return `${JSON.stringify(sarif, null, 2)}\n`
}

function describeRules({ failOn }: Report, { section, title, rules }: ReturnType<typeof outline>[number]) {
  return rules.map(({ id, level, sentence, verdicts }) => {
    const forms = listForms(verdicts)
    const text = `${title}\n${sentence}\nLevel: ${level}. Forms: ${forms}.`
    return {
      id,
      shortDescription: { text: sentence },
      fullDescription: { text: sentence },
      help: { text, markdown: `**${title}**\n\n${sentence}\n\nLevel: **${level}**. Forms: ${forms}.` },
      // Code scanning fails a check on errors.
      defaultConfiguration: { level: isFailLevel(level, failOn) ? 'error' : 'note' },
      properties: {
        tags: [level, `section-${section}`],
        'problem.severity': isFailLevel(level, failOn) ? 'error' : 'recommendation',
      },
    }
  })
}

const driftDescriptions: Readonly<Record<Drift['part'], string>> = {
  choices: 'A choice that the specification leaves open differs from the baseline.',
  shapes: 'The fields of an answer differ from the baseline.',
  document: "A vendor's description differs from ours, from an older one, or from the answers.",
}

function describeDrift(drift: readonly Drift[]) {
  return [...new Set(drift.map(({ part }) => part))].map(part => {
    const text = driftDescriptions[part]
    return {
      id: `drift/${part}`,
      shortDescription: { text },
      fullDescription: { text },
      help: { text, markdown: text },
      defaultConfiguration: { level: 'note' },
      properties: { tags: ['drift'], 'problem.severity': 'recommendation' },
    }
  })
}

function resultOf(report: Report, verdict: RuleReport) {
  const { id, level, says, form, outcome, detail, exchanges } = verdict
  if (outcome !== 'broken' && outcome !== 'known-broken' && !isStale(verdict)) return []
  const { operation, jsonPath, uri } = placeOf(verdict)
  const place = fingerprint(id, form, operation ?? '', jsonPath ?? '')
  const logicalLocations = [
    { fullyQualifiedName: `${form} ${operation ?? id}`, kind: 'operation' },
    ...(jsonPath ? [{ fullyQualifiedName: `${form} ${operation} ${jsonPath}`, kind: 'member' }] : []),
  ]
  return [
    {
      ruleId: id as string,
      level: failsRun(report, verdict) ? 'error' : 'note',
      message: { text: escapeLinks(`${says} In the ${formNames[form]} form: ${detail}`) },
      locations: [{ physicalLocation: physicalLocationOf(uri), logicalLocations }],
      partialFingerprints: { 'ruleFormPlace/v1': place, primaryLocationLineHash: `${place}:1` },
      ...(outcome === 'known-broken'
        ? {
            suppressions: [
              { kind: 'external', status: 'accepted', justification: 'listed as known to be broken on this target' },
            ],
          }
        : {}),
      ...(exchanges[0] ? describeExchange(exchanges[0]) : {}),
      properties: { form, outcome, level },
    },
  ]
}

const driftLevels = { breaking: 'warning', additive: 'note', neutral: 'none' } as const

function resultOfDrift(drift: Drift) {
  const { fingerprint: mark, part, kind, id, was, is, operations = [], usedBy } = drift
  const uses = describeUses([drift]).map(text => ` ${text}.`)
  const baselineState =
    was === null || was === undefined ? 'new' : is === null || is === undefined ? 'absent' : 'updated'
  return {
    ruleId: `drift/${part}`,
    level: isUsed(drift) ? driftLevels[kind] : 'none',
    kind: kind === 'neutral' || !isUsed(drift) ? 'informational' : 'fail',
    message: {
      text: escapeLinks(`${id}: it was ${renderValue(was)}, and is ${renderValue(is)} (${kind}).${uses.join('')}`),
    },
    locations: [
      {
        physicalLocation: physicalLocationOf(
          `${part === 'document' ? part : 'baseline'}/${id.split(/[ /]/).map(encodeURIComponent).join('/')}`,
        ),
        logicalLocations: [
          { fullyQualifiedName: id, kind: 'resource' },
          ...operations.map(({ method, path }) => ({ fullyQualifiedName: `${method} ${path}`, kind: 'operation' })),
        ],
      },
    ],
    partialFingerprints: { 'drift/v1': mark, primaryLocationLineHash: `${mark}:1` },
    baselineState,
    properties: { part, kind, was, is, ...(usedBy && { usedBy }) },
  }
}

const physicalLocationOf = (uri: string) => ({ artifactLocation: { uri }, region: { startLine: 1 } })

const describeExchange = ({ request, response }: ExchangeReport) => ({
  webRequest: {
    protocol: 'HTTP',
    version: '1.1',
    method: request.method,
    target: request.path,
    headers: request.headers,
    ...(request.body === null ? {} : { body: { text: request.body } }),
  },
  webResponse: {
    protocol: 'HTTP',
    version: '1.1',
    statusCode: response.status,
    headers: response.headers,
    body: { text: response.body },
  },
})

function describeInvocation(report: Report) {
  const began = Date.parse(report.startedAt)
  return {
    executionSuccessful: !report.cut && report.summary.errored === 0,
    startTimeUtc: new Date(began).toISOString(),
    endTimeUtc: new Date(began + report.durationMs).toISOString(),
    toolExecutionNotifications: [
      ...report.rules
        .filter(({ outcome }) => outcome === 'errored')
        .map(({ id, form, detail }) => ({
          level: 'error',
          message: { text: escapeLinks(`${id} (${formNames[form]}): ${detail}`) },
          associatedRule: { id },
        })),
      ...notices(report).map(({ title, text }) => ({
        level: 'warning',
        message: { text: escapeLinks(`${title}: ${text}`) },
      })),
    ],
  }
}

/** `[text](address)` would be a link in a message. It is escaped, since the text may come from the deployment. */
const escapeLinks = (text: string) => showUnseen(text).replaceAll('](', '\\](')

const parameters: Readonly<Record<string, string>> = {
  organizations: ':organizationId',
  services: ':serviceId',
  backups: ':backupId',
  dashboards: ':dashboardId',
  alerts: ':alertId',
}

const id = /[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}|\b[0-9a-f]{24}\b/gi

/** The operation that a verdict is about, and the place in its answer: without ids, so that they are the same in every run. */
function placeOf({ id: rule, form, detail, exchanges }: RuleReport) {
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
function fingerprint(...parts: readonly string[]): string {
  let hash = 0xcbf29ce484222325n
  for (const byte of new TextEncoder().encode(parts.join('\n'))) {
    hash = BigInt.asUintN(64, (hash ^ BigInt(byte)) * 0x100000001b3n)
  }
  return hash.toString(16).padStart(16, '0')
}
