import { chownSync, copyFileSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { createCertificate, type TestCertificate } from '../../testing/certificate.ts'
import {
  type PostgresServer,
  startPostgres,
  unprivilegedAccount,
} from '../../testing/postgres/postgres.ts'
import { openDatabase } from '../open.ts'

let certificate: TestCertificate
let folder: string
let server: PostgresServer
beforeAll(async () => {
  certificate = await createCertificate('localhost')
  folder = mkdtempSync(join(tmpdir(), 'gatehouse-tls-'))
  const [key, cert] = [join(folder, 'key.pem'), join(folder, 'cert.pem')]
  writeFileSync(key, certificate.key, { mode: 0o600 })
  copyFileSync(certificate.certFile, cert)
  const account = unprivilegedAccount()
  if (account) for (const one of [folder, key, cert]) chownSync(one, account.uid, account.gid)
  server = await startPostgres(['ssl=on', `ssl_cert_file=${cert}`, `ssl_key_file=${key}`])
})
afterAll(async () => {
  await server?.stop()
  certificate?.remove()
  rmSync(folder, { recursive: true, force: true })
})

/** The server's address with these parameters. */
function addressWith(parameters: string, host = 'localhost'): string {
  const url = new URL(`${server.url}?${parameters}`)
  url.hostname = host
  return url.href
}

/** The reason why an address is refused; undefined if it is accepted. */
async function refusalOf(url: string): Promise<string | undefined> {
  try {
    const database = await openDatabase({ engine: 'postgres', url, connections: 1 }, 'tls', [])
    await database.close()
    return undefined
  } catch (error) {
    return (error as Error).message
  }
}

describe('PostgreSQL over TLS', () => {
  const root = () => `sslrootcert=${certificate.certFile}`

  // First, because the driver warns once.
  it('prints no warning of the driver', async () => {
    const warn = vi.spyOn(process, 'emitWarning')
    await refusalOf(addressWith(`sslmode=require&${root()}`))
    expect(warn).not.toHaveBeenCalled()
    warn.mockRestore()
  })

  it.each(['verify-full', 'verify-ca', 'require', 'prefer'])(
    'with sslmode=%s accepts only a server whose certificate is signed by a known authority',
    async (mode) => {
      expect(await refusalOf(addressWith(`sslmode=${mode}&${root()}`))).toBeUndefined()
      expect(await refusalOf(addressWith(`sslmode=${mode}`))).toBe(
        "GATEHOUSE_DATABASE_URL: the certificate of the PostgreSQL server isn't signed by a known authority; " +
          "add sslrootcert=FILE with the authority's certificate (DEPTH_ZERO_SELF_SIGNED_CERT)",
      )
      expect(await refusalOf(addressWith(`sslmode=${mode}&${root()}`, '127.0.0.1'))).toContain(
        'is for another name than the one in the URL',
      )
    },
  )

  it('checks as much when the driver is asked to check less', async () => {
    const asked = addressWith('sslmode=require&uselibpqcompat=true')
    expect(await refusalOf(asked)).toContain("isn't signed by a known authority")
  })

  it('checks nothing with sslmode=no-verify', async () => {
    expect(await refusalOf(addressWith('sslmode=no-verify'))).toBeUndefined()
  })

  it('refuses other modes and files that are missing', async () => {
    expect(await refusalOf(addressWith('sslmode=required'))).toBe(
      'GATEHOUSE_DATABASE_URL: sslmode is "required"; it must be verify-full, require, no-verify or disable',
    )
    expect(await refusalOf(addressWith('sslmode=require&sslrootcert=/missing.pem'))).toBe(
      "GATEHOUSE_DATABASE_URL: /missing.pem, which the URL names, can't be read (ENOENT)",
    )
  })

  it('says that a server without TLS has none', async () => {
    const plain = await startPostgres()
    expect(await refusalOf(`${plain.url}?sslmode=require`)).toBe(
      'GATEHOUSE_DATABASE_URL: the PostgreSQL server does not offer TLS; switch it on there (ssl = on)',
    )
    await plain.stop()
  })
})
