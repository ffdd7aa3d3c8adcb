import { generateKeyPairSync, randomBytes, X509Certificate } from 'node:crypto'
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { isIP } from 'node:net'
import { join } from 'node:path'
import type { pki as Pki } from 'node-forge'
import { day } from '../../words/durations.ts'

/** A certificate authority of this mock, which clients have to trust. */
export interface Authority {
  readonly ca: string
  /** Issues a certificate in PEM for hosts and IP addresses. */
  issue(names: readonly string[]): { readonly cert: string; readonly key: string }
}

/** Some clients refuse certificates that are valid for more than 825 days. */
const validDays = 820
const fileName = 'authority.json'

/** Opens the authority that is saved in a folder, or creates and saves a new one. */
export async function openAuthority(folder?: string): Promise<Authority> {
  // Loaded on demand. Node generates the keys, which is faster; forge makes the certificates.
  const [{ default: pki }, { default: asn1 }, { default: sha256 }] = await Promise.all([
    import('node-forge/lib/x509.js'),
    import('node-forge/lib/asn1.js'),
    import('node-forge/lib/sha256.js'),
  ])
  const readKey = (key: string) =>
    pki.privateKeyFromAsn1(asn1.fromDer(Buffer.from(key, 'base64').toString('binary'))) as Pki.rsa.PrivateKey
  const publicOf = ({ n, e }: Pki.rsa.PrivateKey) => pki.setRsaPublicKey(n, e)
  const extensionsOfCa = [
    { name: 'basicConstraints', cA: true, pathLenConstraint: 0, critical: true },
    { name: 'keyUsage', keyCertSign: true, critical: true },
    { name: 'subjectKeyIdentifier' },
  ]

  const saved = readSaved(folder) ?? { ca: '', key: generateKey().der }
  const signingKey = readKey(saved.key)
  const issuer = saved.ca
    ? pki.certificateFromPem(saved.ca).subject.attributes
    : [{ name: 'commonName', value: `stack-parity mock ${randomBytes(4).toString('hex')}` }]
  const sign = (subject: Pki.CertificateField[], publicKey: Pki.PublicKey, extensions: object[]) => {
    const certificate = pki.createCertificate()
    certificate.publicKey = publicKey
    // Begins with 1: a random first byte could be negative, or a zero that is refused as padding.
    certificate.serialNumber = `01${randomBytes(15).toString('hex')}`
    certificate.validity.notBefore = new Date(Date.now() - day)
    certificate.validity.notAfter = new Date(Date.now() + validDays * day)
    certificate.setSubject(subject)
    certificate.setIssuer(issuer)
    certificate.setExtensions(extensions)
    certificate.sign(signingKey, sha256.create())
    return pki.certificateToPem(certificate)
  }
  const ca = saved.ca || sign(issuer, publicOf(signingKey), extensionsOfCa)
  if (folder !== undefined && !saved.ca) {
    mkdirSync(folder, { recursive: true, mode: 0o700 })
    writeFileSync(join(folder, fileName), JSON.stringify({ ca, key: saved.key }), { mode: 0o600 })
  }
  const serverKey = generateKey()
  const publicKey = publicOf(readKey(serverKey.der))
  return {
    ca,
    issue(names) {
      // Type 7 is an IP address, 2 a DNS name.
      const altNames = names.map(name => (isIP(name) ? { type: 7, ip: name } : { type: 2, value: name }))
      const extensions = [
        { name: 'basicConstraints', cA: false },
        { name: 'keyUsage', digitalSignature: true, keyEncipherment: true, critical: true },
        { name: 'extKeyUsage', serverAuth: true },
        { name: 'subjectAltName', altNames },
      ]
      return { cert: sign([{ name: 'commonName', value: names[0]! }], publicKey, extensions), key: serverKey.pem }
    },
  }
}

function generateKey(): { readonly pem: string; readonly der: string } {
  const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 })
  const pem = privateKey.export({ type: 'pkcs8', format: 'pem' }).toString()
  return { pem, der: privateKey.export({ type: 'pkcs1', format: 'der' }).toString('base64') }
}

function readSaved(folder: string | undefined) {
  const file = folder && join(folder, fileName)
  if (!file || !existsSync(file)) return undefined
  const saved = JSON.parse(readFileSync(file, 'utf8')) as { readonly ca: string; readonly key: string }
  // Replaced a month before it expires.
  return Date.parse(new X509Certificate(saved.ca).validTo) > Date.now() + 30 * day ? saved : undefined
}
