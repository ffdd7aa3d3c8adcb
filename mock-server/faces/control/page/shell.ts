import type { TargetFile } from '../../../mock/mock.ts'

/** The Content-Security-Policy of the page: it loads files from its own origin alone. */
export const pagePolicy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' data:",
  "connect-src 'self'",
  "frame-src 'self'",
  "form-action 'self'",
  "base-uri 'none'",
  "frame-ancestors 'none'",
].join('; ')

const head = `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="referrer" content="same-origin">
<link rel="icon" href="/console/icon.svg" type="image/svg+xml">
<link rel="stylesheet" href="/console/style.css">`

/** The HTML of the console; its script fetches the data. Without JavaScript, it links to the control plane. */
export const renderShell = ({ cloud, selfHosted }: TargetFile): string => `${head}
<title>stack-parity mock</title>
<script type="module" src="/console/app.js"></script>
<body>
<noscript>
<main class="alone">
<h1>stack-parity mock</h1>
<p>Cloud and managed form: <code>${escapeHtml(cloud?.baseUrl)}/v1</code><br>Self-hosted form: <code>${escapeHtml(selfHosted?.baseUrl)}/api/v2</code></p>
<p>The console needs JavaScript. The control plane works without it:</p>
<ul>
${links.map(path => `<li><a href="${path}">${path}</a></li>`).join('\n')}
</ul>
</main>
</noscript>
</body>
</html>
`

const links = [
  'target',
  'calls',
  'state',
  'faults',
  'chaos',
  'clock',
  'openapi/cloud.json',
  'openapi/self-hosted.json',
].map(name => `/control/${name}`)

const escapeHtml = (text = '') => text.replace(/[&<>"]/g, char => `&#${char.charCodeAt(0)};`)

export const renderTokenPage = (isWrong: boolean) => `${head}
<title>stack-parity mock: token</title>
<body>
<main class="alone">
<h1>stack-parity mock</h1>
<p>Other machines can access this console, so it requires its token, which was printed when the mock started.</p>
<form method="post" action="/console/token">
<label for="token">Token</label>
<input id="token" name="token" type="password" autocomplete="off" required autofocus${isWrong ? ' aria-invalid="true" aria-describedby="wrong"' : ''}>
${isWrong ? '<p id="wrong" class="wrong">This is not the token.</p>' : ''}
<button class="primary">Open the console</button>
</form>
</main>
</body>
</html>
`

/** Two equal bars: parity. */
export const icon = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32"><rect width="32" height="32" rx="7" fill="#1c2024"/><rect x="7" y="9" width="18" height="5" rx="2" fill="#7bd192"/><rect x="7" y="18" width="18" height="5" rx="2" fill="#8abcff"/></svg>
`
