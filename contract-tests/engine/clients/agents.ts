import { readFileSync } from 'node:fs'
import { type ClientRequest, Agent as HttpAgent } from 'node:http'
import { Agent as HttpsAgent } from 'node:https'
import { rootCertificates } from 'node:tls'
import { HttpsProxyAgent } from 'https-proxy-agent'
import { getProxyForUrl } from 'proxy-from-env'
import { loopbackHost } from '../../../fixtures/targets/loopback.ts'
import type { Tls } from '../target/target.ts'

/** How a connection is made: through the proxy that the environment names, and with which certificates. */

/** The route to an address: a proxy, or the reason why there is none. */
export type Route =
  | {
      readonly proxy: URL
      /** The proxy without its password, and the variable that names it. */
      readonly description: string
    }
  | { readonly proxy?: undefined; readonly description: string }

/**
 * Finds the proxy of an address. Never for loopback: a proxy elsewhere has another one.
 * @throws Error with a sentence if the variable has no address of an HTTP proxy.
 */
export function routeTo(url: string): Route {
  const { hostname, protocol } = new URL(url)
  const scheme = protocol.slice(0, -1)
  const names = [`${scheme}_proxy`, 'all_proxy'].flatMap(name => [name, name.toUpperCase()])
  const name = names.find(one => process.env[one])
  if (name === undefined) return { description: `without a proxy: ${scheme.toUpperCase()}_PROXY is not set` }
  if (loopbackHost.test(hostname)) return { description: `without the proxy of ${name}, which loopback never uses` }
  if (!getProxyForUrl(url)) return { description: `without the proxy of ${name}, since NO_PROXY names the host` }
  const value = process.env[name]!
  const address = value.includes('://') ? value : `http://${value}`
  if (!URL.canParse(address) || !/^https?:/i.test(address))
    throw new Error(`${name} is not the address of an HTTP proxy: http://HOST:PORT is expected`)
  const proxy = new URL(address)
  return { proxy, description: `through the proxy ${proxy.protocol}//${proxy.host} of ${name}` }
}

/**
 * Makes an agent for an address. A proxy is always asked for a tunnel (CONNECT), also to `http:`, so that no path or header
 * is changed on the way. An answer of the proxy itself is an error, and not taken for one of the deployment.
 */
export function createAgent(url: string, { keepAlive }: { readonly keepAlive: boolean }): HttpAgent {
  const { proxy, description } = routeTo(url)
  if (!proxy) return url.startsWith('https:') ? new HttpsAgent({ keepAlive }) : new HttpAgent({ keepAlive })
  const credentials = `${decodeURIComponent(proxy.username)}:${decodeURIComponent(proxy.password)}`
  const headers: Record<string, string> =
    credentials === ':' ? {} : { 'proxy-authorization': `Basic ${Buffer.from(credentials).toString('base64')}` }
  // The library prints the address that it is given where DEBUG is set.
  const agent = new HttpsProxyAgent(`${proxy.protocol}//${proxy.host}`, { keepAlive, headers })
  agent.on('proxyConnect', ({ statusCode }: { statusCode: number }, request: ClientRequest) => {
    const hint = statusCode === 407 ? ': it asks for a user and a password' : ''
    if (statusCode !== 200)
      request.destroy(new Error(`no connection ${description}, which answered ${statusCode || 'no HTTP'}${hint}`))
  })
  return agent as HttpAgent
}

/** The certificates of a connection, as options of a request. An own authority is trusted besides the usual ones. */
export const readCertificates = ({ ca, cert, key }: Tls = {}) => ({
  ...(ca !== undefined && { ca: [...rootCertificates, readFileSync(ca, 'utf8')] }),
  ...(cert !== undefined && { cert: readFileSync(cert) }),
  ...(key !== undefined && { key: readFileSync(key) }),
})
