import { authenticateUser } from './authenticate.ts'
import { teamInvitations, teamMembers } from './members.ts'
import { teams } from './model.ts'

export { handlers, refusals } from './team.ts'
export const models = [teams, teamMembers, teamInvitations] as const
export const authenticate = { selfHosted: authenticateUser }
