import { ofWords, type SqlFunction, taking } from './signature.ts'
import { ofText } from './text-functions.ts'

/** Scheme, host, port, path, query and fragment of a URL, each optional. */
const address =
  /^(?:([a-z][a-z0-9+.-]*):)?(\/\/)?(?:[^/?#@]*@)?([^/?#:]*)(?::\d+)?([^?#]*)(?:\?([^#]*))?(?:#([\s\S]*))?/i
const partsOf = (text: string) => address.exec(text) ?? []
const hostOf = (text: string) => {
  const [, scheme, slashes, host = ''] = partsOf(text)
  return (scheme && !slashes) || !host.includes('.') ? (slashes ? host : '') : host
}
const pathOf = (text: string) => {
  if (text.startsWith('/') && !text.startsWith('//')) return text.replace(/[?#][\s\S]*/, '')
  const [, , slashes, , path = ''] = partsOf(text)
  return slashes ? path : ''
}

function unescaped(text: string): string {
  return text.replace(/(?:%[0-9a-f]{2})+/gi, bytes =>
    decoder.decode(Uint8Array.from(bytes.slice(1).split('%'), byte => Number.parseInt(byte, 16))),
  )
}

const decoder = new TextDecoder()

export const addressFunctions: Readonly<Record<string, SqlFunction>> = {
  domain: ofText(hostOf),
  domainWithoutWWW: ofText(text => hostOf(text).replace(/^www\./, '')),
  topLevelDomain: ofText(text => /\.([^.]+)$/.exec(hostOf(text))?.[1] ?? ''),
  protocol: ofText(text => /^([a-z][a-z0-9+.-]*):\/\//i.exec(text)?.[1] ?? ''),
  path: ofText(pathOf),
  pathFull: ofText(text => pathOf(text) && text.slice(text.indexOf(pathOf(text), text.indexOf('//') + 2))),
  queryString: ofText(text => partsOf(text)[5] ?? ''),
  fragment: ofText(text => partsOf(text)[6] ?? ''),
  cutQueryString: ofText(text => text.replace(/\?[^#]*/, '')),
  cutQueryStringAndFragment: ofText(text => text.replace(/[?#][\s\S]*/, '')),
  extractURLParameter: taking('String, String -> String', (text: string, name: string) => {
    const found = (/\?([^#]*)/.exec(text)?.[1] ?? '').split('&').find(one => one.startsWith(`${name}=`))
    return found?.slice(name.length + 1) ?? ''
  }),
  decodeURLComponent: ofWords('String -> String', unescaped),
  decodeURLFormComponent: ofWords('String -> String', (text: string) => unescaped(text.replace(/\+/g, ' '))),
  encodeURLComponent: ofText(text => encodeURIComponent(text.replace(/\p{Cs}/gu, '\ufffd'))),
}
