import { describe, expect, it } from 'vitest'
import hostileReport from '../../fixtures/schemas/examples/hostile-report.json'
import { renderMarkdown } from './markdown.ts'
import type { Report } from './report.ts'

const hostile = hostileReport as Report
const markdown = renderMarkdown(hostile)

/** The page without its code blocks and code spans: the part that a Markdown renderer interprets. */
const prose = markdown
  .replace(/^(`{3,})[a-z]+\n[\s\S]*?\n\1$/gm, '')
  .replace(/(?<![\\`])(`+)(?!`)[\s\S]*?(?<!`)\1(?!`)/g, '')

describe('the Markdown report', () => {
  it('begins with the verdict and a table by section', () => {
    expect(markdown.split('\n')[0]).toMatch(/^## `+.*staging .*: 1 must rule and 1 should rule are broken\.$/)
    expect(markdown).toContain('| §2.2 Member | 1 |  |  |  |  |  |  |')
    expect(markdown).toContain('| **All** | 2 | 1 | 1 |  | 1 | 1 | 1 |')
  })

  it('shows each finding with its sentence, detail and curl line, the most severe first', () => {
    const findings = [...markdown.matchAll(/^### (.*)$/gm)].map(([, title]) => title)
    expect(findings).toEqual([
      '✓ envelope/status-equals-http',
      '✗ member/role-is-admin-or-developer',
      '✗ error/malformed-json',
      '~ backup/finished-not-before-started',
      '! Not judged',
      'Drift',
      'Left behind',
    ])
    expect(markdown).toContain('**broken** · must · cloud · The `role` of a member is exactly `admin` or `developer`.')
    expect(markdown).toMatch(/```sh\ncurl .*members'\n```/)
  })

  it('shows the fingerprint of each difference', () => {
    for (const { fingerprint } of hostile.drift) expect(markdown).toContain(`\`${fingerprint}\``)
  })

  it('folds the observations', () => {
    expect(markdown).toMatch(/<details><summary>1 observation where .*<\/summary>\n\n\| What /)
  })

  it('shows the texts of a target as code only', () => {
    expect(prose).not.toMatch(/<(?!\/?(details|summary)>)/)
    expect(prose).not.toMatch(/(?<!\\)\[click/)
    expect(prose).not.toContain('@everyone')
    expect(markdown.replaceAll('\n', '')).not.toMatch(/\p{Cc}|\u202e/u)
  })
})
