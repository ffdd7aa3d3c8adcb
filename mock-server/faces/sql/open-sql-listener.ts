import { writeFileSync } from 'node:fs'
import { resolve } from 'node:path'
import type { Mock } from '../../mock/mock.ts'
import { SqlRefused } from '../../words/sql.ts'
import { readHost } from '../read-host.ts'
import { openAuthority } from './certificate.ts'
import { createSqlListener, type SqlListener } from './listener.ts'

export interface SqlListening {
  readonly sqlHost?: string
  readonly sqlCa?: string
  readonly sqlFolder?: string
}

/** Makes the listener with its certificate, and writes the authority where it is wanted. */
export async function openSqlListener(
  mock: Mock,
  { sqlHost: hosts = '*.localhost', sqlCa, sqlFolder }: SqlListening,
): Promise<{ readonly listener: SqlListener; readonly hosts: string; readonly ca?: string }> {
  if (readHost(hosts.replace(/^\*\./, '')) === undefined)
    throw new SqlRefused(`--sql-host takes a host such as mock.test or *.mock.test, not "${hosts}".`)
  const authority = await openAuthority(sqlFolder)
  if (sqlCa !== undefined) {
    try {
      writeFileSync(sqlCa, authority.ca)
    } catch (error) {
      throw new SqlRefused(`--sql-ca ${sqlCa}: ${(error as Error).message}. Name another file.`)
    }
  }
  return { listener: createSqlListener(mock, { authority, hosts }), hosts, ...(sqlCa && { ca: resolve(sqlCa) }) }
}
