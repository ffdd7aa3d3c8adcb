/** The modules of node-forge that certificates need; the whole library is a third larger. */

declare module 'node-forge/lib/x509.js' {
  import { pki } from 'node-forge'
  export default pki
}

declare module 'node-forge/lib/sha256.js' {
  import { md } from 'node-forge'

  const sha256: typeof md.sha256
  export default sha256
}

declare module 'node-forge/lib/asn1.js' {
  import { asn1 } from 'node-forge'
  export default asn1
}
