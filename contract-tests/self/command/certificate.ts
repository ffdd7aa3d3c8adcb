import { generate } from 'selfsigned'

/** Creates a self-signed certificate for a name; that for localhost is also for 127.0.0.1. */
export async function createCertificate(host = 'localhost'): Promise<{ readonly key: string; readonly cert: string }> {
  const commonName = { name: 'commonName', value: host }
  const { private: key, cert } = await generate([commonName], { keyType: 'ec', algorithm: 'sha256' })
  return { key, cert }
}
