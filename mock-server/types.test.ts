import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { expect, expectTypeOf, it } from 'vitest'
import { renderTypes } from '../.ci/types/render-types.ts'
import type { AlertBody, Answer, Body, Member, Operations, Params } from './types.ts'

it('are those of the contract: npm run types', () => {
  const biome = createRequire(import.meta.url).resolve('@biomejs/biome/bin/biome')
  const options = { input: renderTypes(), encoding: 'utf8' } as const
  const fresh = execFileSync(process.execPath, [biome, 'format', '--stdin-file-path', 'mock-server/types.ts'], options)
  expect(readFileSync(new URL('types.ts', import.meta.url), 'utf8')).toBe(fresh)
})

// The compiler is what judges these: `npm run check`.
it('tell a client what to send and what comes', () => {
  type ListMembers = 'GET /v1/organizations/{organizationId}/members'
  expectTypeOf<Params<ListMembers>>().toEqualTypeOf<{ organizationId: string }>()
  expectTypeOf<Answer<ListMembers>['result']>().toEqualTypeOf<Member[]>()
  expectTypeOf<Body<'POST /api/v2/alerts'>>().toEqualTypeOf<AlertBody>()
  expectTypeOf<Answer<'POST /api/v2/charts/series'>['data'][0]['series_0.data']>().toEqualTypeOf<
    string | number | null | undefined
  >()
  expectTypeOf<'PATCH /api/v2/webhooks'>().not.toExtend<keyof Operations>()
})
