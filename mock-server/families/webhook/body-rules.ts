import type { BodyRules } from '../../fields/judge.ts'

const refuseControlCharacters = (what: string) => `${what} cannot contain control characters`

const limitTo100 =
  (what: string): NonNullable<BodyRules['checks']>[string] =>
  (entries: object, reportIssue) => {
    if (Object.keys(entries).length > 100) reportIssue(`A webhook cannot have more than 100 ${what}`)
  }

/** How deployments refuse webhooks. Only the newer edition can create and update them. */
export const webhookRules: BodyRules = {
  sentences: {
    'headers.name min': 'Header name cannot be empty',
    'headers.name pattern': "Invalid header name. Only alphanumeric characters and !#$%&'*+-.^_`|~ are allowed",
    'headers.value pattern': refuseControlCharacters('Header values'),
    'queryParams.name min': 'Query parameter name cannot be empty',
    'queryParams.name pattern': refuseControlCharacters('Query parameter names'),
    'queryParams.value pattern': refuseControlCharacters('Query parameter values'),
  },
  checks: {
    '': (body: Readonly<Record<string, unknown>>, reportIssue) => {
      if (body.service !== 'slack') return
      for (const field of ['headers', 'queryParams', 'body']) {
        if (body[field] !== undefined) reportIssue(`${field} is not supported for the slack webhook service`, field)
      }
    },
    headers: limitTo100('headers'),
    queryParams: limitTo100('query parameters'),
    'headers.name': (name: string, reportIssue) => {
      if (/^\d/.test(name)) reportIssue('Header name cannot start with a number')
    },
  },
}
