import type { Fault } from './fault.ts'

/** Answers a path that must not exist with the list of sources of the same form, for which credentials are needed. */
export const offerAbsentPath =
  (path: RegExp, sources: string, methods = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE']): (() => Fault) =>
  () =>
  (call, next) =>
    methods.includes(call.method) && path.test(call.path)
      ? next({
          ...call,
          method: call.method === 'HEAD' ? 'HEAD' : 'GET',
          path: call.path.replace(path, sources),
          body: '',
        })
      : next(call)

/** Matches the paths of a resource in the managed form. */
export const managedPath = (resource: string): RegExp =>
  new RegExp(`^(/v1/organizations/[^/]+/services/[^/]+/[^/]+)/${resource}(/.*)?$`, 'i')
