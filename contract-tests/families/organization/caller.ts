import type { Check } from '../../engine/check.ts'
import { isReadToEnd, listIn } from '../../engine/pages.ts'
import { sameId } from '../../engine/recognise.ts'
import { resultIn } from '../../rules/fields.ts'
import { heldUnless, judgeTogether } from '../../rules/steps.ts'
import { visit } from '../../visits/visit.ts'

export const checks = {
  'caller/is-a-listed-key': judgeTogether(['caller.get', 'key.list-before'], ([asked, listed], { target }) => {
    const { actorType, keyId, organizationId } = resultIn(asked) ?? {}
    const keys = listIn(listed, 'key')
    if (!asked || !listed || !keys || typeof keyId !== 'string' || !isReadToEnd(listed, 'key')) return undefined
    if (actorType !== 'apiKey')
      return heldUnless({ path: '$.result.actorType', expected: 'apiKey', got: actorType }, [asked])
    const own = String(target.cloud?.organizationId)
    if (!sameId(String(organizationId), own))
      return heldUnless({ path: '$.result.organizationId', expected: own, got: organizationId }, [asked])
    const isListed = keys.some(({ id }) => sameId(String(id), keyId))
    const expected = 'the id of a key that is listed'
    return heldUnless(isListed ? undefined : { path: '$.result.keyId', expected, got: keyId }, [asked, listed])
  }),
} as const satisfies Record<string, Check>

export const { steps } = visit('cloud', 'caller', run => void run.call('caller.get'))
