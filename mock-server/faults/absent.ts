import type { Fault } from './fault.ts'

/** Answers a path that is absent with the sources of the same form, which only good credentials get. */
export const answerAbsent =
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

/** Whether a path below the managed form's segment names this resource. */
export const belowManaged = (resource: string): RegExp =>
  new RegExp(`^(/v1/organizations/[^/]+/services/[^/]+/[^/]+)/${resource}(/.*)?$`, 'i')
