import { expect, it } from 'vitest'
import { describe as describeForm } from '../../mock-server/core/openapi/openapi.ts'
import { judgeDocument } from '../run/document/judge-document.ts'

it.each(['cloud', 'selfHosted'] as const)(
  "finds nothing breaking and nothing beside the contract in the mock's own description of the %s API",
  api => {
    const drift = judgeDocument(JSON.parse(JSON.stringify(describeForm(api))))
    expect(drift.filter(({ kind }) => kind !== 'neutral')).toEqual([])
  },
)
