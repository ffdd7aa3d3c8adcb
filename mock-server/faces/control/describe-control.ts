import type Router from '@koa/router'
import type { Contract } from '../../../fixtures/built-contract/index.ts'
import type { TargetFile } from '../../mock/mock.ts'
import { parametersOf } from '../../words/parameters-of.ts'
import { type Address, describeAddresses } from './addresses.ts'

const root = '/control/'

/** The addresses of a router below /control, as `METHOD path`, in the order of their registration. */
export function listAddresses(router: Router): readonly string[] {
  return router.stack
    .filter(({ path }) => String(path).startsWith(root))
    .flatMap(({ path, methods }) => {
      const name = String(path)
        .slice(root.length)
        .replace(/:(\w+)/g, '{$1}')
      return methods.filter(method => method !== 'HEAD').map(method => `${method} ${name}`)
    })
}

/** The control plane as OpenAPI 3.1: the addresses of its router, with descriptions and examples of `addresses.ts`. */
export function describeControl(
  contract: Contract,
  router: Router,
  target: TargetFile,
  hasToken: boolean,
  version = '0',
): object {
  const described = describeAddresses(contract, target)
  const paths: Record<string, Record<string, object>> = {}
  const known = listAddresses(router)
  const order = Object.keys(described)
  const rank = (address: string) => (order.includes(address) ? order.indexOf(address) : order.length)
  for (const address of known.toSorted((a, b) => rank(a) - rank(b))) {
    const [method = '', name = ''] = address.split(' ')
    const path = `${root}${name}`
    paths[path] ??= {}
    paths[path][method.toLowerCase()] = describe(name, described[address] ?? { description: '' })
  }
  const declined = { type: 'object', properties: { error: { type: 'string' } }, required: ['error'] }
  return {
    openapi: '3.1.0',
    info: {
      title: 'Control plane of the mock',
      version,
      description: 'Arranges and inspects the world of a mock, and disturbs its answers.',
    },
    servers: target.control ? [{ url: target.control.baseUrl }] : [],
    ...(hasToken && { security: [{ token: [] }] }),
    paths,
    components: {
      ...(hasToken && { securitySchemes: { token: { type: 'http', scheme: 'bearer' } } }),
      responses: {
        Declined: {
          description: 'A sentence that says what is wrong: 400, 404, 405, 409, 413, 415 or 501.',
          content: { 'application/json': { schema: declined } },
        },
      },
    },
  }
}

function describe(name: string, { description, query = {}, path = {}, body, answers = {}, isOfMock }: Address): object {
  const fields = isOfMock ? query : { ...query, world: 'the id of a world; the first by default' }
  const inPath = parametersOf(name).map(id => ({
    name: id,
    in: 'path',
    required: true,
    schema: { type: 'string' },
    ...(path[id] && { example: path[id] }),
  }))
  const inQuery = Object.entries(fields).map(([name, description]) => ({
    name,
    in: 'query',
    description,
    schema: { type: 'string' },
  }))
  const { status = 200, type = 'application/json', description: answered = 'The current value.' } = answers
  return {
    summary: description,
    tags: [name.split('/')[0]],
    parameters: [...inPath, ...inQuery],
    ...(body && {
      requestBody: {
        required: !body.isOptional,
        content: { 'application/json': { schema: body.schema ?? {}, example: body.example } },
      },
    }),
    responses: {
      [status]: { description: answered, ...(status !== 204 && { content: { [type]: { schema: {} } } }) },
      default: { $ref: '#/components/responses/Declined' },
    },
  }
}
