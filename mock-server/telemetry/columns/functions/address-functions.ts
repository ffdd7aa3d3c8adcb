import { defineAtCostOfWords, defineFunction, type SqlFunction } from './signature.ts'
import { defineTextFunction } from './text-functions.ts'

/** Scheme, host, port, path, query and fragment of a URL, each optional. */
const urlPattern =
  /^(?:([a-z][a-z0-9+.-]*):)?(\/\/)?(?:[^/?#@]*@)?([^/?#:]*)(?::\d+)?([^?#]*)(?:\?([^#]*))?(?:#([\s\S]*))?/i
const splitAddress = (text: string) => urlPattern.exec(text) ?? []
const hostOf = (text: string) => {
  const [, scheme, slashes, host = ''] = splitAddress(text)
  return slashes || (!scheme && host.includes('.')) ? host : ''
}
const pathOf = (text: string) => {
  if (text.startsWith('/') && !text.startsWith('//')) return text.replace(/[?#][\s\S]*/, '')
  const [, , slashes, , path = ''] = splitAddress(text)
  return slashes ? path : ''
}

function decodePercent(text: string): string {
  return text.replace(/(?:%[0-9a-f]{2})+/gi, bytes =>
    decoder.decode(Uint8Array.from(bytes.slice(1).split('%'), byte => Number.parseInt(byte, 16))),
  )
}

const decoder = new TextDecoder()

export const addressFunctions: Readonly<Record<string, SqlFunction>> = {
  domain: defineTextFunction(hostOf),
  domainWithoutWWW: defineTextFunction(text => hostOf(text).replace(/^www\./, '')),
  topLevelDomain: defineTextFunction(text => /\.([^.]+)$/.exec(hostOf(text))?.[1] ?? ''),
  protocol: defineTextFunction(text => /^([a-z][a-z0-9+.-]*):\/\//i.exec(text)?.[1] ?? ''),
  path: defineTextFunction(pathOf),
  pathFull: defineTextFunction(text => pathOf(text) && text.slice(text.indexOf(pathOf(text), text.indexOf('//') + 2))),
  queryString: defineTextFunction(text => splitAddress(text)[5] ?? ''),
  fragment: defineTextFunction(text => splitAddress(text)[6] ?? ''),
  cutQueryString: defineTextFunction(text => text.replace(/\?[^#]*/, '')),
  cutQueryStringAndFragment: defineTextFunction(text => text.replace(/[?#][\s\S]*/, '')),
  extractURLParameter: defineFunction('String, String -> String', (text: string, name: string) => {
    const parameters = (/\?([^#]*)/.exec(text)?.[1] ?? '').split('&')
    return parameters.find(parameter => parameter.startsWith(`${name}=`))?.slice(name.length + 1) ?? ''
  }),
  decodeURLComponent: defineAtCostOfWords('String -> String', decodePercent),
  decodeURLFormComponent: defineAtCostOfWords('String -> String', (text: string) =>
    decodePercent(text.replace(/\+/g, ' ')),
  ),
  encodeURLComponent: defineTextFunction(text => encodeURIComponent(text.replace(/\p{Cs}/gu, '\ufffd'))),
}
