import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { availableParallelism, tmpdir } from 'node:os'
import { join } from 'node:path'
import fc from 'fast-check'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { OperatorError } from '../errors.ts'
import { environmentVariables, readConfig } from './config.ts'

/** Returns the message that a start would fail with; throws if it would succeed. */
function refusalOf(work: () => unknown): string {
  try {
    work()
  } catch (error) {
    expect(error).toBeInstanceOf(OperatorError)
    const { message } = error as OperatorError
    expect(message).not.toMatch(/[\n\r]/)
    return message
  }
  throw new Error('expected a refusal')
}

const refused = (env: Record<string, string>) => refusalOf(() => readConfig(env))

const KEY = 'k'.repeat(43)

describe('the settings', () => {
  it('need none: the default serves this machine alone, from a folder beside it', () => {
    const config = readConfig({})
    expect(config).toMatchObject({ host: '127.0.0.1', port: 8080, databaseUrl: undefined })
    expect(config.dataFolder).toBe(join(process.cwd(), 'data'))
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

  describe('of files', () => {
    const read = (more: Record<string, string> = {}) =>
      readConfig({ GATEHOUSE_S3_BUCKET: 'my-bucket', ...more }).s3

    it('need none: files are in the data folder, links live as long as asked for', () => {
      const { s3, downloads, limits } = readConfig({})
      expect({ s3, downloads }).toEqual({
        s3: undefined,
        downloads: { accelPath: undefined, maxLinkLifetime: undefined },
      })
      expect(limits.downloads).toBe(1_000)
    })

    it('are a path of nginx, a longest life and a limit', () => {
      const { downloads, limits } = readConfig({
        GATEHOUSE_DOWNLOAD_ACCEL: '/private/files',
        GATEHOUSE_DOWNLOAD_LONGEST_LIFE: '604800',
        GATEHOUSE_LIMIT_DOWNLOADS: '50',
      })
      expect(downloads).toEqual({ accelPath: '/private/files', maxLinkLifetime: 604_800 })
      expect(limits.downloads).toBe(50)
    })

    it('are for S3 the name of a bucket, and what else is special about it', () => {
      expect(read()).toEqual({
        bucket: 'my-bucket',
        region: 'us-east-1',
        endpoint: undefined,
        keys: undefined,
        folder: 'gatehouse',
        delivery: 'proxy',
      })
      const all = read({
        GATEHOUSE_S3_REGION: 'eu-central-1',
        GATEHOUSE_S3_ENDPOINT: 'http://127.0.0.1:9000',
        GATEHOUSE_S3_ACCESS_KEY_ID: 'AKIAEXAMPLE',
        GATEHOUSE_S3_SECRET_ACCESS_KEY: 'hunter22/+=',
        GATEHOUSE_S3_FOLDER: 'media/gate.house',
        GATEHOUSE_S3_DELIVERY: 'redirect',
      })
      expect(all).toEqual({
        bucket: 'my-bucket',
        region: 'eu-central-1',
        endpoint: 'http://127.0.0.1:9000',
        keys: { accessKeyId: 'AKIAEXAMPLE', secretAccessKey: 'hunter22/+=' },
        folder: 'media/gate.house',
        delivery: 'redirect',
      })
    })

    it.each([
      ['REGION', ['EU', 'eu central', 'https://x']],
      ['ENDPOINT', ['s3.example.com', 'ftp://x', 'http://', 'https://u:hunter22@x']],
      ['ENDPOINT', ['https://x/?key=hunter22', 'https://x/#hunter22']],
      ['FOLDER', ['/a', 'a/', 'a//b', '..', 'a/../b', 'a b', 'ä']],
      ['DELIVERY', ['direct', 'PROXY']],
    ])('refuse a wrong S3_%s, and never show it', (name, values) => {
      for (const value of values) {
        const env = { GATEHOUSE_S3_BUCKET: 'my-bucket', [`GATEHOUSE_S3_${name}`]: value }
        const message = refused(env)
        expect(message, value).toMatch(new RegExp(`^GATEHOUSE_S3_${name} must be [^;]+$`))
        expect(message).not.toContain('hunter22')
      }
    })

    it('refuse keys that can be none, and never show them', () => {
      const keys = {
        GATEHOUSE_S3_BUCKET: 'my-bucket',
        GATEHOUSE_S3_ACCESS_KEY_ID: 'hunter22 hunter22',
        GATEHOUSE_S3_SECRET_ACCESS_KEY: 'hünter22',
      }
      expect(refused(keys)).toBe(
        'GATEHOUSE_S3_ACCESS_KEY_ID must be text without white space; ' +
          'GATEHOUSE_S3_SECRET_ACCESS_KEY must be text without white space',
      )
    })

    it('take no key without the other', () => {
      const [id, secret] = ['GATEHOUSE_S3_ACCESS_KEY_ID', 'GATEHOUSE_S3_SECRET_ACCESS_KEY']
      const bucket = { GATEHOUSE_S3_BUCKET: 'my-bucket' }
      expect(refused({ ...bucket, [id]: 'x' })).toBe(`${secret} must be set too: ${id} is set`)
      expect(refused({ ...bucket, [secret]: 'x' })).toBe(`${id} must be set too: ${secret} is set`)
    })

    it.each(['REGION', 'ENDPOINT', 'FOLDER', 'DELIVERY', 'ACCESS_KEY_ID', 'SECRET_ACCESS_KEY'])(
      'mean nothing without a bucket: S3_%s',
      (name) => {
        const values: Record<string, string> = { ENDPOINT: 'http://x', DELIVERY: 'proxy' }
        const message = refused({ [`GATEHOUSE_S3_${name}`]: values[name] ?? 'x' })
        expect(message).toContain(
          `GATEHOUSE_S3_BUCKET must be set too: GATEHOUSE_S3_${name} is set`,
        )
      },
    )

    it('are meant by what is nearly their name', () => {
      expect(refused({ GATEHOUSE_S3_BUKCET: 'x' })).toBe(
        'GATEHOUSE_S3_BUKCET is not a Gatehouse setting (did you mean GATEHOUSE_S3_BUCKET?)',
      )
      expect(refused({ GATEHOUSE_S_BUCKET: 'x' })).toContain('did you mean GATEHOUSE_S3_BUCKET?')
      expect(refused({ GATEHOUSE_S3_KEYS: 'x' })).toBe(
        'GATEHOUSE_S3_KEYS is not a Gatehouse setting',
      )
      // A letter was typed in place of the "=".
      expect(refused({ GATEHOUSE_S3_SECRET_ACCESS_KEYXHUNTER22: '' })).toBe(
        'GATEHOUSE_S3_SECRET_ACCESS_KEY… is not a Gatehouse setting',
      )
    })
  })

  it('give the two environments different host names', () => {
    const same = {
      GATEHOUSE_PRODUCTION_HOST: 'a.example.com',
      GATEHOUSE_SANDBOX_HOST: 'A.example.com',
    }
    expect(refused(same)).toContain('GATEHOUSE_SANDBOX_HOST')
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

describe('the file .env', () => {
  let folder: string
  let path: string

  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), 'gatehouse-env-'))
    path = join(folder, '.env')
  })
  beforeEach(() => rmSync(path, { recursive: true, force: true }))
  afterAll(() => rmSync(folder, { recursive: true, force: true }))

  const read = (own: Record<string, string> = {}) => readConfig(environmentVariables(folder, own))
  const readText = (text: string | Buffer, own?: Record<string, string>) => {
    writeFileSync(path, text)
    return read(own)
  }
  const refusedText = (text: string | Buffer, own?: Record<string, string>) =>
    refusalOf(() => readText(text, own))

  it('may be missing, or empty', () => {
    expect(read()).toEqual(readConfig({}))
    expect(readText('')).toEqual(readConfig({}))
  })

  it('is read with comments, quotes, exports, a byte order mark and any line ends', () => {
    const lines = [
      '# settings',
      '',
      'GATEHOUSE_PORT = 1234  # the port',
      'export GATEHOUSE_MAIL_FROM="Example <access@example.com>" # quoted',
      "GATEHOUSE_METRICS_TOKEN='#16 characters, no space'"
        .replaceAll(', ', '-')
        .replaceAll(' ', '-'),
      'GATEHOUSE_LOG_LEVEL= # nothing',
      'OTHER=GATEHOUSE_PORT=5',
    ]
    for (const end of ['\n', '\r\n']) {
      for (const mark of ['', '\uFEFF']) {
        expect(readText(mark + lines.join(end))).toMatchObject({
          port: 1234,
          mailFrom: 'Example <access@example.com>',
          metricsToken: '#16-characters-no-space',
          logLevel: 'info',
        })
      }
    }
  })

  it('stands behind the variables of the process', () => {
    expect(readText('GATEHOUSE_PORT=1234', { GATEHOUSE_PORT: '5678' }).port).toBe(5678)
  })

  it('can be named, and must exist then', () => {
    const named = join(folder, 'named.env')
    writeFileSync(named, 'GATEHOUSE_PORT=4321')
    expect(readText('GATEHOUSE_PORT=1234', { GATEHOUSE_ENV_FILE: named }).port).toBe(4321)
    const missing = { GATEHOUSE_ENV_FILE: `${named}.old` }
    expect(refusedText('', missing)).toBe(`GATEHOUSE_ENV_FILE: there is no file ${named}.old`)
  })

  it('is refused by file, line and name, without its values', () => {
    const at = (line: number) => `${path} line ${line}: `
    expect(refusedText('GATEHOUSE_PORT=1\nGATEHOUSE_PORT=2')).toBe(
      `${at(2)}GATEHOUSE_PORT is set twice`,
    )
    expect(refusedText('\nhunter22')).toBe(`${at(2)}expected NAME=value`)
    expect(refusedText('GATEHOUSE_SMTP_URL="hunter22')).toBe(
      `${at(1)}GATEHOUSE_SMTP_URL has no closing quote`,
    )
    expect(refusedText('GATEHOUSE_SMTP_URL=hunter22\0')).toBe(
      `${at(1)}GATEHOUSE_SMTP_URL contains a control character`,
    )
    expect(refusedText(Buffer.from([0x41, 0x3d, 0xff]))).toBe(`${path} is not UTF-8 text`)
  })

  it('names every wrong line and every wrong variable at once', () => {
    const message = refusedText('hunter22\nGATEHOUSE_PORT=x\n\nGATEHOUSE_DATA="a', {
      GATEHOUSE_LOG_LEVEL: 'loud',
    })
    for (const part of [
      'line 1',
      'line 4: GATEHOUSE_DATA',
      'GATEHOUSE_PORT',
      'GATEHOUSE_LOG_LEVEL',
    ]) {
      expect(message).toContain(part)
    }
  })

  it('must be a file', () => {
    mkdirSync(path)
    expect(refusalOf(read)).toBe(`${path} can't be read: it is not a regular file`)
    rmSync(path, { recursive: true })
    execFileSync('mkfifo', [path])
    expect(refusalOf(read)).toBe(`${path} can't be read: it is not a regular file`)
  })

  const SECRET = 'hunter22hunter22'
  const GOOD = [
    `GATEHOUSE_DATABASE_URL=postgres://gate:${SECRET}@db.example.com/gate?sslmode=require`,
    `GATEHOUSE_SMTP_URL="smtps://gate:${SECRET}@mail.example.com"`,
    `GATEHOUSE_METRICS_TOKEN='${SECRET}=='`,
    `GATEHOUSE_MASTER_KEY=${SECRET.padEnd(43, '2')}`,
    'GATEHOUSE_PORT=9000',
    '',
  ].join('\n')

  const place = fc.nat({ max: GOOD.length - 1 })
  const byte = fc.nat({ max: 255 })
  const splice = (bytes: Buffer, at: number, remove: number, insert: number[]) =>
    Buffer.concat([bytes.subarray(0, at), Buffer.from(insert), bytes.subarray(at + remove)])
  /** Damage that happens to files: cut, flipped, added and lost bytes, duplicate lines, other line endings. */
  const mutation = fc.oneof(
    place.map((at) => (bytes: Buffer) => bytes.subarray(0, at)),
    fc.tuple(place, fc.nat({ max: 7 })).map(([at, bit]) => (bytes: Buffer) => {
      const old = bytes[at]
      return old === undefined ? bytes : splice(bytes, at, 1, [old ^ (1 << bit)])
    }),
    fc.tuple(place, byte).map(
      ([at, value]) =>
        (bytes: Buffer) =>
          splice(bytes, at, 0, [value]),
    ),
    fc.tuple(place, byte).map(
      ([at, value]) =>
        (bytes: Buffer) =>
          splice(bytes, at, 1, [value]),
    ),
    fc.tuple(place, fc.nat({ max: 40 })).map(
      ([at, n]) =>
        (bytes: Buffer) =>
          splice(bytes, at, n, []),
    ),
    fc.nat({ max: 5 }).map((n) => (bytes: Buffer) => {
      const line = bytes.toString('latin1').split('\n')[n] ?? ''
      return Buffer.concat([bytes, Buffer.from(`${line}\n`, 'latin1')])
    }),
    fc.constant((bytes: Buffer) => Buffer.from(bytes.toString('latin1').replaceAll('\n', '\r'))),
    fc.constant((bytes: Buffer) => Buffer.concat([Buffer.from('\uFEFF'), bytes])),
  )

  it('however damaged, is read or refused in one line that names it or a variable, and no secret', () => {
    expect(readText(GOOD).port).toBe(9000)
    let refusals = 0
    fc.assert(
      fc.property(fc.array(mutation, { minLength: 1, maxLength: 3 }), (mutations) => {
        const bytes = mutations.reduce<Buffer>(
          (before, mutate) => mutate(before),
          Buffer.from(GOOD),
        )
        writeFileSync(path, bytes)
        try {
          read()
        } catch (error) {
          refusals++
          const message = refusalOf(() => {
            throw error
          })
          expect(message.startsWith(path) || message.startsWith('GATEHOUSE_')).toBe(true)
          expect(message).not.toMatch(/hunter|22h|\p{Cc}/u)
        }
      }),
      { numRuns: 1_000 },
    )
    expect(refusals).toBeGreaterThan(200)
  })
})
