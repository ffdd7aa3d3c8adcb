import type { AlertBody, Answer, Body, Member, Operations, Params } from 'stack-parity/types'
import { expectTypeOf, it } from 'vitest'

// Checked by the compiler, in `npm run check`.
it('the exported types describe parameters, bodies and answers of operations', () => {
  type ListMembers = 'GET /v1/organizations/{organizationId}/members'
  expectTypeOf<Params<ListMembers>>().toEqualTypeOf<{ organizationId: string }>()
  expectTypeOf<Answer<ListMembers>['result']>().toEqualTypeOf<Member[]>()
  expectTypeOf<Body<'POST /api/v2/alerts'>>().toEqualTypeOf<AlertBody>()
  expectTypeOf<Answer<'POST /api/v2/charts/series'>['data'][0]['series_0.data']>().toEqualTypeOf<
    string | number | null | undefined
  >()
  expectTypeOf<Body<'POST /api/v2/webhooks'>>().not.toHaveProperty('id')
  expectTypeOf<'PATCH /api/v2/webhooks'>().not.toExtend<keyof Operations>()
})
