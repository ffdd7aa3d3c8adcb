import { generateKeyPairSync, sign } from 'node:crypto'

/** Creates a self-signed certificate for 127.0.0.1, or for a name, from the few parts of X.509 that it needs. The numbers are tags of DER. */
export function createCertificate(host?: string): { readonly key: string; readonly cert: string } {
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'prime256v1' })
  const ecdsaWithSha256 = sequence(oid('2a8648ce3d040302'))
  const name = sequence(der(0x31, sequence(oid('550403'), der(0x0c, Buffer.from('stack-parity test')))))
  const day = 86_400_000
  const time = (at: number) => der(0x18, Buffer.from(new Date(at).toISOString().replace(/[-:T]|\.\d+/g, '')))
  const subject = host === undefined ? der(0x87, Buffer.from([127, 0, 0, 1])) : der(0x82, Buffer.from(host))
  const subjectAltName = sequence(oid('551d11'), der(0x04, sequence(subject)))
  const body = sequence(
    der(0xa0, der(0x02, Buffer.from([2]))),
    der(0x02, Buffer.from([1])),
    ecdsaWithSha256,
    name,
    sequence(time(Date.now() - day), time(Date.now() + day)),
    name,
    publicKey.export({ type: 'spki', format: 'der' }),
    der(0xa3, sequence(subjectAltName)),
  )
  const signature = Buffer.concat([Buffer.from([0]), sign('sha256', body, privateKey)])
  const lines = sequence(body, ecdsaWithSha256, der(0x03, signature))
    .toString('base64')
    .match(/.{1,64}/g)!
  return {
    key: privateKey.export({ type: 'pkcs8', format: 'pem' }) as string,
    cert: ['-----BEGIN CERTIFICATE-----', ...lines, '-----END CERTIFICATE-----', ''].join('\n'),
  }
}

/** A value with its tag and length, in DER. */
function der(tag: number, content: Buffer): Buffer {
  const { length } = content
  const head = length < 128 ? [length] : length < 256 ? [0x81, length] : [0x82, length >> 8, length & 0xff]
  return Buffer.concat([Buffer.from([tag, ...head]), content])
}

const sequence = (...parts: Buffer[]) => der(0x30, Buffer.concat(parts))
const oid = (hex: string) => der(0x06, Buffer.from(hex, 'hex'))
