import type { GapId } from '../../fixtures/contract/index.ts'
import type { Refusal, RefusalKind } from '../words/refusal.ts'

/** The status of each kind of refusal, where no gap says otherwise. */
export const statusOfKind: Readonly<Record<RefusalKind, number>> = {
  malformed: 400,
  invalid: 400,
  unauthenticated: 401,
  forbidden: 403,
  unknownId: 404,
  unknownSource: 404,
  unreadableWhere: 400,
  unrouted: 404,
  wrongMethod: 405,
  tooLarge: 413,
  unsupported: 415,
  conflict: 409,
  rateLimited: 429,
  failed: 500,
}

/** What a status is called: the text of a plain refusal, and, in capitals, the first word of a cloud sentence. */
export const nameOfStatus: Readonly<Record<number, string>> = {
  200: 'OK',
  201: 'Created',
  204: 'No Content',
  400: 'Bad Request',
  401: 'Unauthorized',
  403: 'Forbidden',
  404: 'Not Found',
  405: 'Method Not Allowed',
  409: 'Conflict',
  410: 'Gone',
  413: 'Payload Too Large',
  415: 'Unsupported Media Type',
  422: 'Unprocessable Entity',
  429: 'Too Many Requests',
  500: 'Internal Server Error',
  501: 'Not Implemented',
  503: 'Service Unavailable',
}

const ofUnknownId: Readonly<Record<string, GapId>> = {
  'backup.get': 'backup/unknown-id',
  'alert.get': 'alert/unknown-id',
  'alert.update': 'alert/update-unknown',
  'alert.delete': 'alert/delete-unknown',
  'dashboard.get': 'dashboard/unknown-id',
  'dashboard.update': 'dashboard/update-unknown',
  'dashboard.delete': 'dashboard/delete-unknown',
  // The specification has no connections; deployments refuse them as they refuse dashboards.
  'connections.get': 'dashboard/unknown-id',
  'connections.update': 'dashboard/update-unknown',
  'connections.delete': 'dashboard/unknown-id',
}

/** The gap that says how a refusal looks. */
export function gapOf(refusal: Refusal, operation: string | undefined, hasCredentials: boolean): GapId | undefined {
  if (refusal.more.gap) return refusal.more.gap
  switch (refusal.kind) {
    case 'unauthenticated':
      return hasCredentials ? 'auth/invalid-credentials' : 'auth/missing-credentials'
    case 'unknownId':
      return ofUnknownId[operation ?? '']
    case 'unknownSource':
      return 'chart/unknown-source'
    case 'unreadableWhere':
      return 'chart/unreadable-where'
    case 'unrouted':
      return 'path/unknown-path'
    case 'wrongMethod':
      return 'path/wrong-method'
    case 'invalid':
      return refusal.more.issues?.every(({ part }) => part === 'Params') ? 'path/malformed-id' : undefined
    default:
      return undefined
  }
}
