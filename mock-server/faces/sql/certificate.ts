import { randomBytes, X509Certificate } from 'node:crypto'
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { isIP } from 'node:net'
import { join } from 'node:path'
import type { SelfsignedOptions } from 'selfsigned'
import { day } from '../../words/durations.ts'

/** A certificate and its private key, in PEM. */
interface Certificate {
  readonly cert: string
  readonly key: string
}

/** A certificate authority of this mock, which clients have to trust. */
export interface Authority {
  readonly ca: string
  /** Issues a certificate for hosts and IP addresses. */
  issue(names: readonly string[]): Promise<Certificate>
}

/** Some clients refuse certificates that are valid for more than 825 days. */
const validDays = 820
const fileName = 'ca.json'

/** Opens the authority that is saved in a folder, or creates and saves a new one. */
export async function openAuthority(folder?: string): Promise<Authority> {
  const { default: selfsigned } = await import('selfsigned')
  const create = async (name: string, options: SelfsignedOptions): Promise<Certificate> => {
    const { cert, private: key } = await selfsigned.generate([{ name: 'commonName', value: name }], {
      keyType: 'ec',
      algorithm: 'sha256',
      notBeforeDate: new Date(Date.now() - day),
      notAfterDate: new Date(Date.now() + validDays * day),
      ...options,
    })
    return { cert, key }
  }
  const saved = readSaved(folder)
  const ca =
    saved ??
    (await create(`stack-parity mock ${randomBytes(4).toString('hex')}`, {
      extensions: [
        { name: 'basicConstraints', cA: true, pathLenConstraint: 0, critical: true },
        { name: 'keyUsage', keyCertSign: true, critical: true },
      ],
    }))
  if (folder !== undefined && !saved) {
    mkdirSync(folder, { recursive: true, mode: 0o700 })
    writeFileSync(join(folder, fileName), JSON.stringify(ca), { mode: 0o600 })
  }
  return {
    ca: ca.cert,
    issue: names =>
      create(names[0]!, {
        ca,
        extensions: [
          { name: 'basicConstraints', cA: false },
          { name: 'keyUsage', digitalSignature: true, critical: true },
          { name: 'extKeyUsage', serverAuth: true },
          // Type 7 is an IP address, 2 a DNS name.
          {
            name: 'subjectAltName',
            altNames: names.map(name => (isIP(name) ? { type: 7, ip: name } : { type: 2, value: name })),
          },
        ],
      }),
  }
}

function readSaved(folder: string | undefined): Certificate | undefined {
  const file = folder && join(folder, fileName)
  if (!file || !existsSync(file)) return undefined
  const saved = JSON.parse(readFileSync(file, 'utf8')) as Certificate
  // Replaced a month before it expires.
  return Date.parse(new X509Certificate(saved.cert).validTo) > Date.now() + 30 * day ? saved : undefined
}
