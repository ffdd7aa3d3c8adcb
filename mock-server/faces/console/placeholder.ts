import type { TargetFile } from '../../core/mock.ts'

const links = [
  ['/control/target', "this mock's target file, with its credentials"],
  ['/control/openapi/cloud.json', 'the machine-readable description of the cloud API'],
  ['/control/openapi/self-hosted.json', 'that of the self-hosted API'],
  ['/control/calls', 'recent calls and their answers; DELETE forgets them'],
  ['/control/state', 'the whole world as one JSON document; PUT it back'],
  ['/control/faults', 'rules that are broken on purpose; PUT a list of rule ids'],
  ['/control/chaos', 'latency, injected failures, rate limits; PUT to change'],
  ['/control/clock', "the mock's clock; PUT to set or advance"],
] as const

/** The page of the console port: where the mock listens, and what can be asked of it. */
export function renderPlaceholder({ cloud, selfHosted }: TargetFile): string {
  return `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<title>stack-parity mock</title>
<style>
  :root { color-scheme: light dark }
  body { font: 16px/1.5 system-ui, sans-serif; max-width: 44rem; margin: 3rem auto; padding: 0 1rem }
  dt { margin-top: .75rem; font-weight: 600 } dd { margin: 0 } code { font-size: .95em }
</style>
<h1>stack-parity mock</h1>
<dl>
  ${place('Cloud and managed form', cloud?.baseUrl, '/v1', 'HTTP Basic, keyId and keySecret')}
  ${place('Self-hosted form', selfHosted?.baseUrl, '/api/v2', 'Bearer, apiKey')}
</dl>
<p>The credentials are in the <a href="/control/target">target file</a> and were printed when the mock started.</p>
<h2>Control plane</h2>
<dl>
  ${links.map(([path, says]) => `<dt><a href="${path}"><code>${path}</code></a><dd>${says}`).join('\n  ')}
  <dt><code>POST /control/reset</code><dd>the world as it was at the start
  <dt><code>POST /control/rows</code><dd>rows that chart queries then see
</dl>
</html>
`
}

function place(name: string, base: string | undefined, path: string, credentials: string): string {
  return base === undefined ? '' : `<dt>${name}<dd><code>${escapeHtml(base + path)}</code>, ${credentials}`
}

const escapeHtml = (text: string) => text.replace(/[&<>"]/g, char => `&#${char.charCodeAt(0)};`)
