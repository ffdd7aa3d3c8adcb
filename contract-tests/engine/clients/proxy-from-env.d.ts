declare module 'proxy-from-env' {
  /** The address of the proxy for a URL, by the variables of this process; empty if there is none. */
  export function getProxyForUrl(url: string): string
}
