/** Reads a host as it stands in an address that leads there; undefined for a text that is none. */
export function readHost(text: string): string | undefined {
  const bare = text.replace(/^\[(.*)\]$/, '$1')
  const address = `http://${bare.includes(':') ? `[${bare}]` : bare}`
  const url = URL.canParse(address) ? new URL(address) : undefined
  return url?.href === `http://${url?.hostname}/` ? url.hostname : undefined
}

/** What `readHost` takes, in words. */
export const hostWanted = 'a host without scheme, port or path, such as example.com'
