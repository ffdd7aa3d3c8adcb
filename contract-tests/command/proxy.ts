import { type TargetFile, UsageError, variableOrField } from '../engine/target/target.ts'
import { exitStatus } from '../report/exit-status.ts'
import { DEFAULT_FAIL_ON, isFailLevel } from '../report/report.ts'
import { type Paint, renderTerminal } from '../report/terminal.ts'
import { onOneLine } from '../report/visible.ts'
import type { Judgement } from '../run/proxy/judge-proxied.ts'
import { startJudgeThread } from '../run/proxy/judge-thread.ts'
import { describeBreach, describeDrift, describeUnread, toPageCall } from '../run/proxy/page-call.ts'
import { describeSubstitute, type ProxiedCall, type ProxiedForm } from '../run/proxy/proxied-call.ts'
import { startProxy } from '../run/proxy/start-proxy.ts'
import type { CallsPage, Command, CommandContext } from './command.ts'
import { readTarget, refuseMissingFolder, writeText } from './files.ts'
import { type OptionValues, proxyOptions, renderOptions } from './options.ts'
import { readReports, screenFor, writeReports } from './reports.ts'
import { readBaseline, readDrift, readFailOn, readKnownBroken, readNumber } from './values.ts'

const help = `stack-parity proxy --target FILE [options]

Passes calls on to a deployment, with the client's own credentials, and judges every
answer by the rules. It listens on loopback alone, refuses calls from web pages, follows
no redirect, and passes only GET and HEAD unless the target file has "writes": true.

${renderOptions(proxyOptions)}
Exit status, on SIGINT or SIGTERM
  0  no answer broke a rule of the level of --fail-on or a graver one, and there is no drift
     that --drift gates
  1  an answer broke such a rule, or there is such drift
  2  wrong use

Examples
  stack-parity proxy --target staging.json
  stack-parity proxy --target staging.json --hold --record traffic.har
`

export const proxy: Command<keyof typeof proxyOptions> = { options: proxyOptions, help, run }

type ProxyValues = OptionValues<keyof typeof proxyOptions>

async function run(values: ProxyValues, context: CommandContext): Promise<number> {
  const { stderr } = context
  const target = readProxiedTarget(values, context)
  const reports = readReports(values.report ?? [])
  const [record] = values.record ?? []
  if (record) refuseMissingFolder('--record', record)
  const { screen, paint } = screenFor(reports, context)
  const failOn = readFailOn(values) ?? DEFAULT_FAIL_ON
  const drift = readDrift(values)
  if (values.drift && !values.baseline) throw new UsageError('--drift gates what --baseline FILE finds; name one.')
  const ports = {
    cloud: readNumber(values, 'cloud-port') ?? 8001,
    selfHosted: readNumber(values, 'self-hosted-port') ?? 8000,
    console: readNumber(values, 'console-port') ?? 8080,
  }
  const baseUrls = { cloud: target.cloud?.baseUrl, selfHosted: target.selfHosted?.baseUrl }
  const baseline = readBaseline(values, context)
  const judge = startJudgeThread(context.judgeThread, {
    name: target.name ?? 'unnamed',
    version: context.version,
    failOn,
    knownBroken: readKnownBroken(values, context),
    baseline,
    baseUrls,
  })
  const hold = ({ broken, unread }: Judgement) => {
    const breach = broken.find(({ level }) => isFailLevel(level, failOn))
    return breach ? describeBreach(breach) : unread && describeUnread(unread)
  }
  let unread = 0
  const closing: (() => Promise<void>)[] = [judge.close]
  try {
    const page = values['no-console']
      ? undefined
      : await context.openCallsPage({ port: ports.console, target, as: baseline })
    if (page) closing.push(page.close)
    const proxy = await startProxy({
      target,
      ports,
      judge: judge.judge,
      record: judge.record,
      onJudged(call, judgement) {
        if (judgement?.unread) unread++
        page?.record(toPageCall(call, judgement, baseUrls[call.form]!))
        stderr.write(`${renderCall(call, judgement, paint)}\n`)
      },
      ...(values.hold && { hold }),
    })
    closing.push(proxy.close)
    page?.announce(proxy.addresses)
    stderr.write(renderStart(target, proxy.addresses, page, context.version))
    await context.stopped()
    await proxy.close()
    const report = await judge.conclude()
    if (record) writeText('--record', record, `${JSON.stringify(await judge.har())}\n`)
    if (unread > 0) stderr.write(`${unread} answers were not judged: their bodies could not be read.\n`)
    if (judge.unjudged > 0) stderr.write(`${judge.unjudged} calls passed unjudged: too many came at once.\n`)
    if (!report) {
      stderr.write('Nothing was judged: no call of this API passed.\n')
      return 0
    }
    const { columns } = screen
    screen.write(renderTerminal(report, paint, { quiet: true, ...(screen.isTTY ? { columns } : {}) }))
    writeReports(report, reports, context)
    // Status 2 would mean that too few rules were judged, but the clients choose the calls.
    return exitStatus(report, { drift }) === 1 ? 1 : 0
  } finally {
    for (const close of closing.reverse()) await close()
  }
}

/** Reads a target file whose variables need not be set: clients send their own credentials. */
function readProxiedTarget(values: ProxyValues, { env }: CommandContext): TargetFile {
  const [file] = values.target ?? []
  if (!file) throw new UsageError('--target FILE is needed: the deployment that calls are passed on to.')
  const filledEnv = new Proxy(env, { get: (known, name) => Reflect.get(known, name) ?? 'brought-by-the-client' })
  const target = readTarget(file, filledEnv, values.insecure !== undefined)
  const unset = Object.keys(target.headers ?? {}).find(name => {
    const variable = variableOrField(target, `headers.${name}`)
    return variable.startsWith('$') && !env[variable.slice(1)]
  })
  if (unset === undefined) return target
  throw new UsageError(
    `--target ${file}: the variable of \`headers.${unset}\` is not set; the proxy sends this header itself.`,
  )
}

function renderStart(
  target: TargetFile,
  addresses: Readonly<Partial<Record<ProxiedForm, string>>>,
  page: CallsPage | undefined,
  version: string,
): string {
  const names = { cloud: 'Cloud, managed', selfHosted: 'Self-hosted' }
  const row = (name: string, address: string, note: string) => `  ${name.padEnd(18)}${address}  ${note}\n`
  const rows = (['cloud', 'selfHosted'] as const).flatMap(form =>
    addresses[form] ? row(names[form], addresses[form], `passes to ${target[form]!.baseUrl}`) : [],
  )
  if (page) rows.push(row('Console', page.address, 'calls with their judgements'))
  const methods = target.writes === true ? 'all methods pass' : 'only GET and HEAD pass'
  return `stack-parity proxy ${version}: ${target.name ?? 'unnamed'}, ${methods}\n\n${rows.join('')}\n  Ctrl-C stops it and gives the verdict.\n\n`
}

/** A call as one line: method, status, time, path without its query, and the rules that it breaks. */
function renderCall(call: ProxiedCall, judgement: Judgement | undefined, paint: Paint): string {
  const { method, path } = call.request
  const { instead } = call
  const status = instead ? describeSubstitute(instead) : call.response.status
  const { broken: breaches = [], unread } = judgement ?? {}
  const findings = [
    ...(instead && instead.as !== 'held' ? [`\n    ${onOneLine(instead.why)}`] : []),
    ...breaches.map(({ id, detail }) => `\n    ${paint.red('✗')} ${id}: ${onOneLine(detail)}`),
    ...(unread ? [`\n    ${paint.yellow('?')} ${onOneLine(describeUnread(unread))}`] : []),
    ...(judgement?.drift ?? []).map(drift => `\n    ${paint.yellow('~')} ${onOneLine(describeDrift(drift))}`),
  ].join('')
  const isJudged = judgement !== undefined && judgement.held + breaches.length > 0
  const verdict = breaches.length > 0 ? paint.red('✗') : unread ? paint.yellow('?') : paint.green('✓')
  const line = `${method.padEnd(6)} ${status} ${call.ms.toFixed(1).padStart(7)} ms  ${path.replace(/\?.*/s, '')}`
  return `${isJudged ? verdict : ' '} ${onOneLine(line)}${findings}`
}
