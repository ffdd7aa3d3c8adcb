import { createHash } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import hostileReport from '../../fixtures/schemas/examples/hostile-report.json'
import { hashes, renderHtml } from './html.ts'
import type { Report } from './report.ts'

const hostile = hostileReport as Report
const page = renderHtml(hostile)
const contentOf = (name: string) => new RegExp(`<${name}>([\\s\\S]*?)</${name}>`).exec(page)![1]!
const hashOf = (text: string) => `sha256-${createHash('sha256').update(text).digest('base64')}`
const body = page.slice(page.indexOf('<body>'), page.indexOf('</html>')).replace(/<script>[\s\S]*?<\/script>/, '')
const tags = body.match(/<[^>]*>/g)!

describe('the HTML report', () => {
  it('allows only its own style and script, by their hashes', () => {
    expect(hashes).toEqual({ style: hashOf(contentOf('style')), script: hashOf(contentOf('script')) })
    expect(page).toContain('default-src &#39;none&#39;')
  })

  it('loads nothing from another address', () => {
    expect(page).not.toMatch(/<(link|img|iframe|object|embed|base|source|video|audio|form [^>]*action)\b/i)
    for (const tag of tags) expect(tag).not.toMatch(/\s(src|srcset|action|background|data|style|on\w+)=/i)
    expect([...body.matchAll(/href="([^"]*)"/g)].every(([, href]) => href!.startsWith('#'))).toBe(true)
    expect(contentOf('style')).not.toMatch(/url\(|@import/)
  })

  it('shows the fingerprint of each difference', () => {
    for (const { fingerprint } of hostile.drift) expect(body).toContain(`<code>${fingerprint}</code>`)
  })

  it('never turns the text of a target into markup', () => {
    expect(tags.filter(tag => /^<(img|!--)/i.test(tag))).toEqual([])
    expect(page.match(/<script/gi)).toHaveLength(1)
    expect(body).toContain('&lt;/script&gt;&lt;img src=x onerror=alert(1)&gt;&#39;&quot;&amp;')
    expect(page).not.toMatch(/[\p{Cs}\u202e]/u)
    expect(page.replaceAll('\n', '')).not.toMatch(/\p{Cc}/u)
  })

  it('closes every element that it opens', () => {
    const open: string[] = []
    for (const [, end, name, empty] of body.matchAll(/<(\/?)([a-z][a-z0-9]*)\b[^>]*?(\/?)>/g)) {
      if (name === 'input' || empty) continue
      if (end) expect(open.pop()).toBe(name)
      else open.push(name!)
    }
    expect(open).toEqual([])
  })

  it('works without its script: filters are hidden, all rules are listed, those that fail the run are open', () => {
    expect(body).toMatch(/<form class="filters"[^>]* hidden>/)
    for (const { id } of hostile.rules) expect(body).toContain(`id="${id}"`)
    const open = [...body.matchAll(/<details class="rule [^"]*" id="([^"]*)"[^>]* open>/g)].map(([, id]) => id)
    // The first holds, although it is listed as known to be broken.
    expect(open).toEqual(['envelope/status-equals-http', 'member/role-is-admin-or-developer', 'error/malformed-json'])
  })

  it('has each id once, and a target for every link', () => {
    const ids = [...body.matchAll(/\sid="([^"]*)"/g)].map(([, id]) => id)
    expect(new Set(ids).size).toBe(ids.length)
    for (const [, target] of body.matchAll(/href="#([^"]*)"/g)) expect(ids).toContain(target)
  })

  it('shows verdict, detail, observed value, exchange and curl line', () => {
    expect(body).toContain('1 must rule and 1 should rule are broken.')
    expect(body).toContain('the backup has no iamRoleArn')
    expect(body).toMatch(/Observed: <code class="seen">id, &lt;\/script/)
    expect(body).toContain('12345678901234567890')
    expect(body).toContain('curl -sS -i -X POST -H &quot;Authorization: Bearer $OSS_API_KEY&quot;')
  })

  it('has a filter for each outcome, level and form in the report', () => {
    const values = [...body.matchAll(/<input type="checkbox" name="(\w+)" value="([\w-]+)">/g)].map(
      ([, name, value]) => `${name} ${value}`,
    )
    expect(values).toEqual([
      ...['broken', 'errored', 'known-broken', 'held', 'observed', 'not-applicable'].map(value => `outcome ${value}`),
      ...['must', 'should', 'observe'].map(value => `level ${value}`),
      ...['cloud', 'managed', 'selfHosted'].map(value => `form ${value}`),
    ])
  })
})
