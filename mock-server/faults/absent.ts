import type { Fault } from './fault.ts'

/**
 * Answers what is not there with what is: the sources of the same form. So the success is one of the form, and only good
 * credentials get it.
 */
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
