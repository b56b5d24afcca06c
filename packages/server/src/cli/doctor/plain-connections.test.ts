import { describe, expect, it } from 'vitest'
import { readConfig } from '../../config/config.ts'
import type { Context } from '../../context.ts'
import { checkConnections } from './plain-connections.ts'

const POSTGRES = 'postgres://gatehouse:hunter22@'

/** Examines settings. A server that is only named needs none to be there. */
function findingsOf(env: Record<string, string>, smtpUrl?: string): string[] {
  const environments = {
    production: { connections: { mail: { smtpUrl } } },
    sandbox: { connections: { mail: { smtpUrl: undefined } } },
  }
  const findings = checkConnections({
    config: readConfig(env),
    environments,
  } as unknown as Context)
  const text = JSON.stringify(findings)
  expect(text).not.toContain('hunter22')
  return findings.map(({ status, message, todo }) => `${status}: ${message}; ${todo ?? ''}`)
}

const S3 = { GATEHOUSE_S3_BUCKET: 'media', GATEHOUSE_S3_REGION: 'eu-central-1' }

describe('doctor warns of a connection that others could read', () => {
  it.each([
    ['PostgreSQL', { GATEHOUSE_DATABASE_URL: `${POSTGRES}db/gatehouse` }, /db: .* not encrypted/],
    [
      'PostgreSQL without TLS',
      { GATEHOUSE_DATABASE_URL: `${POSTGRES}db/g?sslmode=disable` },
      /db: .* not encrypted; add sslmode=verify-full to GATEHOUSE_DATABASE_URL/,
    ],
    [
      'PostgreSQL that is anybody',
      { GATEHOUSE_DATABASE_URL: `${POSTGRES}db/g?sslmode=no-verify` },
      /certificate is not checked/,
    ],
    [
      'the standby',
      {
        GATEHOUSE_DATABASE_URL: `${POSTGRES}db/g?sslmode=verify-full`,
        GATEHOUSE_DATABASE_REPLICA_URL: `${POSTGRES}db2/g`,
      },
      /db2: .* GATEHOUSE_DATABASE_REPLICA_URL/,
    ],
    ['S3', { ...S3, GATEHOUSE_S3_ENDPOINT: 'http://s3.intranet:9000' }, /s3\.intranet.* use https/],
    [
      'the collector',
      { OTEL_EXPORTER_OTLP_ENDPOINT: 'http://10.0.0.9:4318' },
      /10\.0\.0\.9: .* OTEL_EXPORTER_OTLP_ENDPOINT/,
    ],
  ])('%s', (_, env, expected) => {
    const findings = findingsOf(env as unknown as Record<string, string>)
    expect(findings).toEqual([expect.stringMatching(expected)])
    expect(findings[0]).toMatch(/^warning: /)
  })

  it.each([['smtp://mail.example.com:25'], ['smtp://mail.example.com?requireTLS=false']])(
    'the mail server %s',
    (smtpUrl) => {
      expect(findingsOf({}, smtpUrl)).toEqual([
        expect.stringMatching(/^warning: the mail server of production, mail\.example\.com: /),
      ])
    },
  )
})

describe('doctor accepts connections that are encrypted, and those on this machine', () => {
  it.each([
    [{}, undefined],
    [{ GATEHOUSE_DATABASE_URL: `${POSTGRES}127.0.0.1/g` }, 'smtp://127.0.0.1:1025'],
    [{ GATEHOUSE_DATABASE_URL: `${POSTGRES}%2Fvar%2Frun/g` }, 'smtps://mail.example.com'],
    [{ GATEHOUSE_DATABASE_URL: `${POSTGRES}x/g?host=/var/run` }, 'smtp://u:hunter22@mail.example'],
    [{ GATEHOUSE_DATABASE_URL: `${POSTGRES}db/g?ssl=true` }, 'smtp://mail.example?requireTLS=true'],
    [{ GATEHOUSE_DATABASE_URL: `${POSTGRES}db/g?sslrootcert=/x.pem` }, undefined],
    [{ ...S3, GATEHOUSE_S3_ENDPOINT: 'https://s3.example.com' }, undefined],
    [{ ...S3, GATEHOUSE_S3_ENDPOINT: 'http://[::1]:9000' }, undefined],
    [{ OTEL_EXPORTER_OTLP_ENDPOINT: 'http://localhost:4318' }, undefined],
  ])('%j, %s', (env, smtpUrl) => {
    expect(findingsOf(env as unknown as Record<string, string>, smtpUrl)).toEqual([
      'ok: every connection to another machine is encrypted; ',
    ])
  })
})
