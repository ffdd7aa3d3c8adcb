import type { Member } from '../../core/populate/organizations.ts'
import type { Collection } from '../../core/stack.ts'
import type { Reply } from '../../words/reply.ts'

const texts = new WeakMap<object, { readonly version: number; readonly order: string; readonly json: string }>()

/** All members of an organization, in the order that is asked for. The text is kept until somebody joins or leaves. */
export function listMembers(members: Collection<Member>, order: string): Reply {
  let text = texts.get(members)
  if (text?.version !== members.version || text.order !== order) {
    text = { version: members.version, order, json: JSON.stringify(arrange(members.list(), order).map(present)) }
    texts.set(members, text)
  }
  // keeps: member/list-answers-200, member/result-is-an-array
  return { kind: 'list', json: text.json }
}

// keeps: member/user-id-is-a-string, member/name-is-a-string, member/email-is-an-address, member/user-id-occurs-once
// keeps: member/role-is-admin-or-developer, member/joined-at-is-a-date-time
const present = ({ userId, name, email, role, joinedAt }: Member) => ({ userId, name, email, role, joinedAt })

function arrange(members: readonly Member[], order: string): readonly Member[] {
  const by = order as 'joinedAt' | 'name' | 'email'
  return members.toSorted((a, b) => (a[by] < b[by] ? -1 : a[by] > b[by] ? 1 : 0))
}
