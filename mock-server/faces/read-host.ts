/** Parses a host as it is written in a URL; undefined if it is invalid. */
export function readHost(text: string): string | undefined {
  const bare = text.replace(/^\[(.*)\]$/, '$1')
  const address = `http://${bare.includes(':') ? `[${bare}]` : bare}`
  const url = URL.canParse(address) ? new URL(address) : undefined
  return url?.href === `http://${url?.hostname}/` ? url.hostname : undefined
}

export const expectedHost = 'a host without scheme, port or path, such as example.com'
