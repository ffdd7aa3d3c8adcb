import type { Check } from '../../engine/check.ts'
import { isReadToEnd, listIn } from '../../engine/pages.ts'
import { sameId } from '../../engine/recognise.ts'
import { resultIn } from '../../rules/fields.ts'
import { eachPair, organizationOf } from '../../rules/operations.ts'
import { heldUnless } from '../../rules/steps.ts'

export const checks = {
  'caller/is-a-listed-key': eachPair(['caller.get', 'key.list'], (asked, listed) => {
    const { actorType, keyId, organizationId } = resultIn(asked) ?? {}
    const keys = listIn(listed, 'key')
    if (!keys || typeof keyId !== 'string' || !isReadToEnd(listed, 'key')) return undefined
    if (actorType !== 'apiKey')
      return heldUnless({ path: '$.result.actorType', expected: 'apiKey', got: actorType }, [asked])
    const own = organizationOf(listed) ?? ''
    if (!sameId(String(organizationId), own))
      return heldUnless({ path: '$.result.organizationId', expected: own, got: organizationId }, [asked])
    const isListed = keys.some(({ id }) => sameId(String(id), keyId))
    const expected = 'the id of a key that is listed'
    return heldUnless(isListed ? undefined : { path: '$.result.keyId', expected, got: keyId }, [asked, listed])
  }),
} as const satisfies Record<string, Check>
