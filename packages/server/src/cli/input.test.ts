import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { InvalidArgumentError } from 'commander'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Cli, inProcessCli, spawnedCli } from '../testing/cli.ts'
import { assessDisk } from './doctor/disk.ts'
import { parseDuration, parseTime } from './options.ts'

describe('what a command is told', () => {
  let folder: string
  let cli: Cli

  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'gatehouse-test-'))
    cli = inProcessCli({ GATEHOUSE_DATA: folder })
    await cli.json('app', 'create', '--env', 'sandbox', '--name', 'Test magazine')
  })
  afterAll(() => {
    rmSync(folder, { recursive: true, force: true })
  })

  const AID = ['--aid', 'AAAAAAAAAA']
  const long = 'x'.repeat(256)

  it.each([
    [['bogus'], "unknown command 'bogus'"],
    [['resource', 'create', ...AID, '--rid', 'a b', '--name', 'N'], '--rid', 'white space'],
    [['resource', 'create', ...AID, '--rid', long, '--name', 'N'], '--rid', '255'],
    [['resource', 'create', ...AID, '--rid', '', '--name', 'N'], '--rid', 'Must not be empty'],
    [['resource', 'create', ...AID, '--rid', 'r', '--name', 'a\u0007b'], '--name', 'control'],
    [['resource', 'create', ...AID, '--rid', 'r', '--name', long], '--name', '255'],
    [['resource', 'create', ...AID, '--rid', 'r', '--name', 'N', '--url', 'ftp://h/'], '--url'],
    [['resource', 'create', ...AID, '--rid', 'r'], '--name', 'not specified'],
    [['access', 'grant', ...AID, '--rid', 'r', '--email', 'nobody'], '--email', 'email address'],
    [['access', 'grant', ...AID, '--rid', 'r', '--expires', '1803859200000'], '--expires', 'milli'],
    [['access', 'search', '--pagesize', '0'], '--pagesize', '1 or more'],
    [['access', 'search', '--rid', ''], '--rid', 'Must not be empty'],
    [['access', 'import', 'x.csv', ...AID, '--until', ''], '--until', 'Must not be empty'],
    [['access', 'search', '--user-ref', ''], '--user-ref', 'Must not be empty'],
    [['access', 'search', '--email', ''], '--email', 'Must not be empty'],
    [['access', 'search', '--tag', ''], '--tag', 'Must not be empty'],
    [['access', 'history', ...AID, '--uid', ''], '--uid', 'Must not be empty'],
    [['payment', 'list', '--user-ref', ''], '--user-ref', 'Must not be empty'],
    [['subscription', 'list', '--rid', ''], '--rid', 'Must not be empty'],
    [['access', 'grant', ...AID, '--rid', 'r', '--email', 'a@b.c', '--expires', ''], '--expires'],
    [['download', 'link', ...AID, '--rid', 'r', '--lifetime', ''], '--lifetime'],
    [['download', 'link', ...AID, '--rid', 'r', '--lifetime', '0'], '--lifetime', '1 or more'],
    [['access', 'search', '--env', 'staging'], '--env', 'production, sandbox'],
    [['access', 'why', ...AID, '--rid', 'r'], '--user-ref', 'not specified'],
    [['app', 'create', '--env', 'sandbox', '--name', 'N', '--currency', 'XYZ'], '--currency'],
    [['app', 'create', '--env', 'sandbox', '--name', 'N', '--mail-from', 'a\nb@c'], '--mail-from'],
    [['app', 'set', 'AAAAAAAAAA', '--mail-template', '/no/such/file'], '--mail-template', 'ENOENT'],
    [['app', 'set', 'AAAAAAAAAA'], 'nothing to change'],
    [['app', 'set', 'AAAAAAAAAA', '--grace-days', '61'], '--grace-days', '60 or less'],
    [['app', 'set', 'AAAAAAAAAA', '--return-url', 'http://h/'], '--return-url', 'localhost only'],
    [['app', 'set', 'AAAAAAAAAA', '--return-url', 'https://h/?a'], '--return-url', 'a query'],
    [
      ['app', 'set', 'AAAAAAAAAA', '--seller-address', `${'x\\n'.repeat(10)}x`],
      '--seller-address',
      '10',
    ],
    [['app', 'set', 'AAAAAAAAAA', '--tax-line', 'a\nb'], '--tax-line', 'control'],
    [['price', 'create', ...AID, '--rid', 'r'], '--amount', 'not specified'],
    [['price', 'create', ...AID, '--rid', 'r', '--amount', '1', '--for', '11 years'], '--for'],
    [['price', 'create', ...AID, '--rid', 'r', '--amount', '1', '--trial-days', '366'], '365'],
    [['price', 'archive', 'x'], '--aid', 'not specified'],
    [['subscription', 'list', '--status', 'paused'], '--status', 'past_due'],
    [['subscription', 'show'], '--aid, --rid and --user-ref'],
    [['subscription', 'show', 'x', '--rid', 'r'], '--aid, --rid and --user-ref'],
    [['subscription', 'show', 'nothere'], 'nothere'],
    [['subscription', 'import', '/no/such/file', ...AID], 'AAAAAAAAAA'],
    [['payment', 'show', 'nothere'], 'nothere'],
    [['payment', 'refund', 'x'], '--aid', 'not specified'],
    [['payment', 'dispute', 'x', 'settled', ...AID], 'opened, won, lost'],
    [['clock', 'advance', '40'], 'duration like'],
    [['clock', 'advance', '--to', 'tomorrow'], '--to', 'date like'],
    [['clock', 'advance', '1d', '--env', 'production'], "can't be moved"],
    [['clock', 'advance'], 'either a duration'],
    [['clock', 'advance', '523w'], 'ten years'],
    [['sandbox', 'reset'], '--yes'],
    [['sign', 'GET', '/other', ...AID], 'target', 'start with /r2/'],
    [['sign', 'GET', '/r2/access?rid=a b', ...AID], 'target', 'percent-encoded'],
    [['sign', 'GET', '/r2/access?rid=é', ...AID], 'target', 'percent-encoded'],
    [['sign', 'GET', '/r2/access?rid=%zz', ...AID], 'target', 'hex digits'],
    [['sign', 'GET', '/r2//access', ...AID], 'target', 'segments'],
    [['sign', 'GET', '/r2/user/../access', ...AID], 'target', 'segments'],
    [['sign', 'PUT', '/r2/access', ...AID], 'method', 'GET or POST'],
    [['mail', 'list', '--limit', '0'], '--limit', 'whole number'],
    [['mail', 'retry', 'x', '--env', 'sandbox'], '--env', '--all-dead'],
    [['mail', 'retry', 'x', ...AID], '--aid', '--all-dead'],
    [['mail', 'show', 'x', '--html', '--json'], '--html', '--json'],
    [['access', 'history', ...AID, '--uid', 'u', '--user-ref', 'r'], '--uid', '--user-ref'],
    [['mail', 'retry'], '--all-dead'],
    [['mail', 'retry', 'x', '--all-dead'], '--all-dead'],
    [['mail', 'show', 'nothere'], 'nothere'],
    [['access', 'history', ...AID], 'AAAAAAAAAA'],
    [['doctor', '--deeper'], "unknown option '--deeper'"],
    [['app', 'list', 'all'], 'too many arguments'],
  ] as [string[], ...string[]][])('is refused in one line: %j', async (args, ...named) => {
    const { code, stdout, stderr } = await cli.run(...args)
    expect({ code, stdout }).toEqual({ code: 1, stdout: '' })
    expect(stderr).toMatch(/^gatehouse: [^\n]+\n$/)
    for (const name of named) expect(stderr).toContain(name)
  })

  it('may be nothing, and then it gets help', async () => {
    const real = spawnedCli({ GATEHOUSE_DATA: folder })
    const [alone, asked, version, wrong] = await Promise.all([
      real.run(),
      real.run('--help'),
      real.run('--version'),
      real.run('app', 'list', '--bogus'),
    ])
    expect(alone).toEqual({ code: 0, stdout: asked.stdout, stderr: '' })
    for (const name of ['serve', 'app', 'resource', 'access', 'sign', 'mail', 'key', 'doctor']) {
      expect(asked.stdout).toMatch(new RegExp(`^  ${name} `, 'm'))
    }
    const [, guides = ''] = /^Guides: (.+)$/m.exec(asked.stdout) ?? []
    expect(readFileSync(guides, 'utf8')).toContain('](run/troubleshooting.md)')
    expect(wrong).toEqual({
      code: 1,
      stdout: '',
      stderr: "gatehouse: unknown option '--bogus' (see gatehouse --help)\n",
    })
    expect(version.stdout).toMatch(/^\d+\.\d+\.\d+(-dev(\+[0-9a-f]{8,}(-dirty)?)?)?\n$/)
  })

  it('may be a time in seconds or a date that exists', () => {
    expect(parseTime('1803859200')).toBe(1803859200)
    expect(parseTime('2027-03-01')).toBe(Date.UTC(2027, 2, 1) / 1000)
    expect(parseTime('2027-03-01T09:30:00Z')).toBe(Date.UTC(2027, 2, 1, 9, 30) / 1000)
    expect(parseTime('2027-03-01T09:30+02:00')).toBe(Date.UTC(2027, 2, 1, 7, 30) / 1000)
    for (const bad of ['2027-02-29', '2027-13-01', 'tomorrow', '-1', '2027-03-01T09:30', '1e9']) {
      expect(() => parseTime(bad), bad).toThrow(InvalidArgumentError)
    }
  })

  it('may be a duration with its unit', () => {
    expect(['90s', '15m', '24h', '7d', '2w'].map(parseDuration)).toEqual([
      ...[90, 900, 86_400, 7 * 86_400, 14 * 86_400],
    ])
    for (const bad of ['90', '1.5h', '-1d', 'd']) {
      expect(() => parseDuration(bad), bad).toThrow(InvalidArgumentError)
    }
  })
})

describe('a folder without an installation', () => {
  it.each([
    [['app', 'list']],
    [['backup', 'x.backup']],
    [['mail', 'list']],
    [['key', 'rotate-master']],
    [['doctor']],
  ])('is left as it is by %j, which names it', async (command) => {
    const folder = mkdtempSync(join(tmpdir(), 'gatehouse-none-'))
    const data = join(folder, 'data')
    try {
      const { code, stdout, stderr } = await inProcessCli({ GATEHOUSE_DATA: data }).run(...command)
      expect(code).toBe(1)
      expect(stdout + stderr).toContain(
        `there is no installation in ${data} (GATEHOUSE_DATA); create one with: gatehouse serve`,
      )
      expect(readdirSync(folder)).toEqual([])
    } finally {
      rmSync(folder, { recursive: true, force: true })
    }
  })
})

describe('the disk', () => {
  const GIB = 1024 ** 3
  it.each([
    [10 * GIB, 100 * GIB, 'ok'],
    [0.9 * GIB, 10 * GIB, 'warning'],
    [4.9 * GIB, 100 * GIB, 'warning'],
    [5.1 * GIB, 100 * GIB, 'ok'],
  ])('with %d bytes free of %d is judged %s', (free, total, status) => {
    expect(assessDisk('data', { free, total }).status).toBe(status)
  })
})
