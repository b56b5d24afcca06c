import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import fc from 'fast-check'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { refusalOf } from '../testing/config/refusals.ts'
import { environmentVariables, readConfig } from './config.ts'

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

  it('is refused by file and line, and nothing of the line is printed', () => {
    const at = (line: number) => `${path} line ${line}: `
    expect(refusedText('GATEHOUSE_PORT=1\nGATEHOUSE_PORT=2')).toBe(
      `${at(2)}sets the same variable as line 1`,
    )
    // A lost line break has made a password a part of a name.
    const joined = 'GATEHOUSE_METhunter22=x'
    expect(refusedText(`${joined}\n\n${joined}`)).toBe(
      `${at(3)}sets the same variable as line 1; GATEHOUSE_MET… is not a Gatehouse setting`,
    )
    expect(refusedText('\nhunter22')).toBe(`${at(2)}expected NAME=value`)
    expect(refusedText('GATEHOUSE_SMTP_URL="hunter22')).toBe(
      `${at(1)}the value has no closing quote`,
    )
    expect(refusedText('GATEHOUSE_SMTP_URL=hunter22\0')).toBe(
      `${at(1)}the value contains a control character`,
    )
    expect(refusedText(Buffer.from([0x41, 0x3d, 0xff]))).toBe(`${path} is not UTF-8 text`)
  })

  it('names every wrong line and every wrong variable at once', () => {
    const message = refusedText('hunter22\nGATEHOUSE_PORT=x\n\nGATEHOUSE_DATA="a', {
      GATEHOUSE_LOG_LEVEL: 'loud',
    })
    for (const part of ['line 1', 'line 4: the value', 'GATEHOUSE_PORT', 'GATEHOUSE_LOG_LEVEL']) {
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
