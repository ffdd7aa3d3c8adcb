import type { RefusalKind } from '../../words/refusal.ts'

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
  gone: 410,
  failedDependency: 424,
  rateLimited: 429,
  failed: 500,
}

/** The reason phrases of statuses: the text of a plain refusal and, in capitals, the code of a cloud message. */
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
  424: 'Failed Dependency',
  429: 'Too Many Requests',
  500: 'Internal Server Error',
  501: 'Not Implemented',
  503: 'Service Unavailable',
}
