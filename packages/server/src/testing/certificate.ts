import { execFileSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

const TOOLS = new URL('../../../../scripts/tools.mjs', import.meta.url).href

/** A self-signed certificate of a host name, in files. */
export interface TestCertificate {
  certFile: string
  key: Buffer
  cert: Buffer
  remove(): void
}

export async function createCertificate(host: string): Promise<TestCertificate> {
  const { requireTools } = (await import(TOOLS)) as {
    requireTools(packages: Record<string, string>): void
  }
  requireTools({ openssl: 'openssl' })
  const folder = mkdtempSync(join(tmpdir(), 'gatehouse-tls-'))
  const [keyFile, certFile] = [join(folder, 'key.pem'), join(folder, 'cert.pem')]
  const subject = ['-subj', `/CN=${host}`, '-addext', `subjectAltName=DNS:${host}`]
  const kind = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes']
  const files = ['-keyout', keyFile, '-out', certFile]
  execFileSync('openssl', ['req', '-x509', ...kind, ...subject, '-days', '2', ...files], {
    stdio: 'ignore',
  })
  return {
    certFile,
    key: readFileSync(keyFile),
    cert: readFileSync(certFile),
    remove: () => rmSync(folder, { recursive: true }),
  }
}
