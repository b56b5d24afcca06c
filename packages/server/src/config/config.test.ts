import { availableParallelism } from 'node:os'
import { join } from 'node:path'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { refusalOf, refused } from '../testing/config/refusals.ts'
import { readConfig } from './config.ts'

const KEY = 'k'.repeat(43)

describe('the settings', () => {
  it('need none: the default serves this machine alone, from a folder beside it', () => {
    const config = readConfig({})
    expect(config).toMatchObject({ host: '127.0.0.1', port: 8080, databaseUrl: undefined })
    expect(config.dataFolder).toBe(join(process.cwd(), 'data'))
  })

  it('may include the token of `gatehouse mcp`, which other commands ignore', () => {
    expect(readConfig({ GATEHOUSE_TOKEN: 'ghm_x' })).toEqual(readConfig({}))
  })

  it('can be empty, which is the same as not set', () => {
    expect(readConfig({ GATEHOUSE_PORT: '', GATEHOUSE_SMTP_URL: '  ' })).toEqual(readConfig({}))
  })

  const wrong: [name: string, values: string[]][] = [
    ['HOST', ['a b', 'http://x', '1.2.3.4:80', 'x_y', '[::1', '-']],
    ['PORT', ['-1', '65536', '80a', '1e3', '0x50', '8080.0', '٣', '99999999999999999999']],
    ['DATA', ['~/data', 'a\0b', 'a\nb']],
    [
      'BASE_URL',
      [
        'example.com',
        'ftp://x',
        'https://',
        'https://u:hunter22@x',
        'https://x/?a=1',
        'https://x/#a',
      ],
    ],
    ['BASE_URL', ['https://x/:id', 'https://x/*', 'https://x/a//b', 'https://x/a%20b']],
    ['PRODUCTION_HOST', ['https://x', 'a b', '*.x', 'x:80']],
    ['SANDBOX_HOST', ['https://x', 'a b', '*.x', 'x:80']],
    ['FILES_HOST', ['https://x', 'a b', '*.x', 'x:80']],
    ['HSTS', ['on', 'max-age=1', 'Host']],
    ['PLAIN_HTTP_ALLOW', ['localhost', '10.0.0.0/33', '10.0.0.1,', '*']],
    [
      'DATABASE_URL',
      ['x', 'mysql://u:hunter22@h/d', 'postgres://', 'postgres://u:hunter22%zz@h/d'],
    ],
    ['MOVE_TO', ['x', 'mysql://u:hunter22@h/d', 'postgres://']],
    ['DATABASE_CONNECTIONS', ['0', '1001', 'many']],
    ['DATABASE_WAIT', ['-1', '3601', 'long']],
    ['SMTP_URL', ['x', 'http://u:hunter22@h', 'smtp://', 'smtp://u:hunter22%zz@h']],
    ['SANDBOX_SMTP_URL', ['x', 'http://u:hunter22@h', 'smtp:?host=x']],
    ['MAIL_FROM', ['nobody', 'a@b, c@d', 'A <a@b>\r\nBcc: x@y', '"a@b', 'a b@c']],
    ['MAIL_PER_SECOND', ['0', '10001', '-5']],
    ['MAIL_CONNECTIONS', ['0', '501', 'many']],
    ['EVENT_DAYS', ['0', '3651', 'all']],
    ['STRIPE_API', ['x', 'ftp://h', 'http://']],
    ['MASTER_KEY', ['hunter22', `${KEY}=`, `${KEY},`, `${KEY},hunter22`]],
    ['S3_BUCKET', ['a', 'My-Bucket', 'a_b', '-ab', 'ab-', 's3://bucket', 'x'.repeat(64)]],
    ['DOWNLOAD_ACCEL', ['files', '/', '/a/', '/a//b', '/../etc', '/a/./b', '/a b', '/a?b', '/ä']],
    ['DOWNLOAD_LONGEST_LIFE', ['0', '-1', '7d', '1.5', '10000000001']],
    ['LOG_LEVEL', ['loud', 'INFO']],
    ['TRUSTED_PROXIES', ['x', '10.0.0.0/33', '::1/129', '10.0.0.1;10.0.0.2', '1.2.3.4/8/8']],
    ['WEBHOOK_ALLOW', ['x', 'localhost', '10.0.0.0/33', '127.0.0.1:3000', 'http://127.0.0.1']],
    ['METRICS_TOKEN', ['hunter22', 'hunter22 hunter22 hunter22']],
    ['LIMIT_PER_APPLICATION', ['-1', 'none']],
    ['LIMIT_CONNECTIONS', ['0', '1000001']],
    ['LIMIT_IN_FLIGHT', ['0', '1.5']],
    ['LIMIT_DOWNLOADS', ['0', '1000001', 'many']],
    ['LIMIT_DOWNLOADS_PER_ADDRESS', ['-1', 'many']],
    ['WORKERS', ['0', '257', '-1', '1.5', 'all', 'AUTO']],
  ]
  it.each(wrong)('refuse a wrong %s, name it in full, and never show its value', (name, values) => {
    for (const value of values) {
      const message = refused({ [`GATEHOUSE_${name}`]: value })
      expect(message, value).toMatch(new RegExp(`^GATEHOUSE_${name} must be [^;]+$`))
      expect(message).not.toContain('hunter22')
    }
  })

  it('take an address in every usual form', () => {
    for (const host of ['0.0.0.0', '::', '::1', '[::1]', 'localhost', 'gate.example.com']) {
      expect(readConfig({ GATEHOUSE_HOST: host }).host).toBe(host.replace(/[[\]]/g, ''))
    }
    const url = (text: string) => readConfig({ GATEHOUSE_BASE_URL: text }).baseUrl
    expect(url('https://example.com/')).toBe('https://example.com')
    expect(url('https://example.com/a/b/')).toBe('https://example.com/a/b')
    expect(url('https://example.com/a/../b')).toBe('https://example.com/b')
    for (const database of [
      'postgres://user:p%40ss@db.example.com:5433/gate?sslmode=require',
      'postgresql:///gate?host=/var/run/postgresql',
    ]) {
      expect(readConfig({ GATEHOUSE_DATABASE_URL: database }).databaseUrl).toBe(database)
    }
  })

  describe.each([
    ['', 'production', 'live', 'test'],
    ['SANDBOX_', 'sandbox', 'test', 'live'],
  ] as const)('of payments, GATEHOUSE_%sSTRIPE_…', (prefix, environment, mode, otherMode) => {
    const keyName = `GATEHOUSE_${prefix}STRIPE_SECRET_KEY`
    const secretName = `GATEHOUSE_${prefix}STRIPE_WEBHOOK_SECRET`
    const secret = 'whsec_hunter22hunter22'

    it('are a key and a webhook secret of one mode', () => {
      for (const kind of ['sk', 'rk']) {
        const key = `${kind}_${mode}_hunter22hunter22`
        const { stripe } = readConfig({ [keyName]: key, [secretName]: secret })
        expect(stripe[environment]).toEqual({ secretKey: key, webhookSecret: secret })
        expect(Object.values(stripe).filter(Boolean)).toHaveLength(1)
      }
    })

    it.each(['hunter22', `sk_${otherMode}_hunter22hunter22`, `pk_${mode}_hunter22hunter22`])(
      'refuse the key %s, and never show it',
      (key) => {
        const message = refused({ [keyName]: key, [secretName]: secret })
        expect(message).toBe(`${keyName} must be a Stripe key like sk_${mode}_…`)
      },
    )

    it('refuse a wrong webhook secret, and never show it', () => {
      const key = `sk_${mode}_hunter22hunter22`
      const message = refused({ [keyName]: key, [secretName]: 'hunter22' })
      expect(message).toBe(`${secretName} must be a secret like whsec_…`)
    })

    it('mean nothing one without the other', () => {
      const key = `sk_${mode}_hunter22hunter22`
      expect(refused({ [keyName]: key })).toBe(`${secretName} must be set too: ${keyName} is set`)
      expect(refused({ [secretName]: secret })).toBe(
        `${keyName} must be set too: ${secretName} is set`,
      )
    })
  })

  it('count workers: one, so many, or one for each core', () => {
    const workers = (text: string) => readConfig({ GATEHOUSE_WORKERS: text }).workers
    expect(['', '1', '4', '256', 'auto'].map(workers)).toEqual([
      1,
      1,
      4,
      256,
      availableParallelism(),
    ])
  })

  it('give the two environments different host names', () => {
    const same = {
      GATEHOUSE_PRODUCTION_HOST: 'a.example.com',
      GATEHOUSE_SANDBOX_HOST: 'A.example.com',
    }
    expect(refused(same)).toContain('GATEHOUSE_SANDBOX_HOST')
  })

  it.each([
    [{ GATEHOUSE_PRODUCTION_HOST: 'a.example.com' }, 'GATEHOUSE_PRODUCTION_HOST'],
    [{ GATEHOUSE_SANDBOX_HOST: 'a.example.com' }, 'GATEHOUSE_SANDBOX_HOST'],
    [{ GATEHOUSE_BASE_URL: 'https://a.example.com:8443' }, 'the host of GATEHOUSE_BASE_URL'],
  ])('must give files a host of their own, or none: %j', (env, other) => {
    const same = { ...env, GATEHOUSE_FILES_HOST: 'A.example.com' }
    expect(refused(same)).toContain(`GATEHOUSE_FILES_HOST must differ from ${other}`)
    expect(() => readConfig({ ...env, GATEHOUSE_FILES_HOST: 'b.example.com' })).not.toThrow()
  })

  it('are all named at once when they are wrong', () => {
    const names = [...new Set(wrong.map(([name]) => `GATEHOUSE_${name}`))]
    const env = Object.fromEntries(
      wrong.map(([name, [value]]) => [`GATEHOUSE_${name}`, value ?? '']),
    )
    const message = refused(env)
    for (const name of names) expect(message).toContain(name)
    expect(message.split('; ')).toHaveLength(names.length)
  })

  it('that nobody knows are refused, with the one that was meant', () => {
    expect(refused({ GATEHOUSE_PROT: '1' })).toBe(
      'GATEHOUSE_PROT is not a Gatehouse setting (did you mean GATEHOUSE_PORT?)',
    )
    expect(refused({ GATEHOUSE_SMTPURL: 'x' })).toContain('GATEHOUSE_SMTP_URL')
    expect(refused({ 'GATEHOUSE_A\nB': 'x' })).toBe('GATEHOUSE_A… is not a Gatehouse setting')
    expect(refused({ 'GATEHOUSE_PORT\n': 'x' })).toMatch(
      /^GATEHOUSE_PORT… is not a Gatehouse setting/,
    )
    expect(refused({ GATEHOUSE_METRICS_TOKEN_hunter22hunter22: '' })).not.toContain('hunter22')
  })

  it('are read or refused in one line, whatever they are', () => {
    const names = [...wrong.map(([name]) => name), 'NONSENSE']
    fc.assert(
      fc.property(
        fc.dictionary(
          fc.constantFrom(...names).map((name) => `GATEHOUSE_${name}`),
          fc.oneof(fc.string({ unit: 'binary' }), fc.webUrl(), fc.ipV6(), fc.integer().map(String)),
        ),
        (env) => {
          try {
            readConfig(env)
          } catch (error) {
            const message = refusalOf(() => {
              throw error
            })
            for (const problem of message.split('; '))
              expect(problem).toMatch(/^GATEHOUSE_[A-Z0-9_]+ /)
          }
        },
      ),
      { numRuns: 500 },
    )
  })
})
