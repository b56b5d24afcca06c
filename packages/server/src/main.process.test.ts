import { once } from 'node:events'
import {
  copyFileSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { type AddressInfo, createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { measureLoadTime, type ProcessOptions, startProcess } from './testing/processes/process.ts'

/** Starts real processes, on a machine that may be busy with other tests. */
vi.setConfig({ testTimeout: 600_000 })

const folders: string[] = []
const newFolder = () => {
  const folder = mkdtempSync(join(tmpdir(), 'gatehouse-main-'))
  folders.push(folder)
  return folder
}
afterAll(() => {
  for (const folder of folders) rmSync(folder, { recursive: true, force: true })
})

/** Starts a server that must fail to start: quickly, with one line on standard error and nothing else. */
async function refusalOf(options: ProcessOptions, within = 2_000): Promise<string> {
  const server = await startProcess(options)
  const ended = await server.ended
  expect(ended.signal).toBeNull()
  expect(ended.code).toBe(1)
  expect(ended.stdout).toBe('')
  expect(ended.stderr).toMatch(/^gatehouse: [^\n]+\n$/)
  expect(ended.stderr).not.toMatch(/hunter22|\.[jt]s:\d/)
  // On a busy machine, the limit is a multiple of the time that it takes to load anything.
  if (ended.took >= within) expect(ended.took).toBeLessThan(8 * (await measureLoadTime()))
  return ended.stderr
}

describe('a start', () => {
  /** A data folder that a server has already used. */
  let lived: string
  beforeAll(async () => {
    lived = newFolder()
    const server = await startProcess({ env: { GATEHOUSE_DATA: lived } })
    await server.url
    expect(await server.stop()).toMatchObject({ code: 0 })
  })

  function copyOfLived(): string {
    const folder = newFolder()
    for (const name of readdirSync(lived)) copyFileSync(join(lived, name), join(folder, name))
    return folder
  }

  it('with wrong settings names them all', async () => {
    const line = await refusalOf({
      env: { GATEHOUSE_PORT: 'http', GATEHOUSE_SMTP_URL: 'hunter22', GATEHOUSE_COLOUR: 'red' },
    })
    for (const name of ['PORT', 'SMTP_URL', 'COLOUR']) expect(line).toContain(`GATEHOUSE_${name} `)
  })

  const envFiles: [string, (path: string) => void, RegExp][] = [
    ['a folder', (path) => mkdirSync(path), /\.env can't be read/],
    ['no text', (path) => writeFileSync(path, Buffer.from([0xc3, 0x28])), /\.env is not UTF-8/],
    [
      'cut short',
      (path) => writeFileSync(path, 'GATEHOUSE_SMTP_URL="smtp://u:hunter22'),
      /\.env line 1: the value has no closing quote/,
    ],
    [
      'a key twice',
      (path) => writeFileSync(path, 'GATEHOUSE_HOST=::\r\nGATEHOUSE_HOST=::\r\n'),
      /\.env line 2: sets the same variable as line 1/,
    ],
    [
      'an unknown key',
      (path) => writeFileSync(path, '\uFEFFGATEHOUSE_PROT=1'),
      /GATEHOUSE_PROT .*GATEHOUSE_PORT/,
    ],
    ['no lines', (path) => writeFileSync(path, 'hunter22'), /\.env line 1/],
  ]
  it.each(envFiles)(
    'with a .env that is or has %s names the file, and the line or the key',
    async (_, make, said) => {
      const folder = newFolder()
      make(join(folder, '.env'))
      expect(await refusalOf({ env: { GATEHOUSE_DATA: folder }, folder })).toMatch(said)
    },
  )

  it('on a port that is taken says so, and disturbs nobody', async () => {
    const other = createServer((socket) => socket.end('mine')).listen(0, '127.0.0.1')
    await once(other, 'listening')
    const { port } = other.address() as AddressInfo
    const line = await refusalOf({ env: { GATEHOUSE_DATA: lived, GATEHOUSE_PORT: String(port) } })
    expect(line).toContain(`GATEHOUSE_PORT: port ${port} on 127.0.0.1 is already in use`)
    expect(other.listening).toBe(true)
    other.close()
  })

  it('on an address of another machine says so, once however many workers there are', async () => {
    const env = { GATEHOUSE_DATA: lived, GATEHOUSE_HOST: '192.0.2.1', GATEHOUSE_WORKERS: '2' }
    // Supervisor and worker start one after the other; nothing here measures how long that may take.
    const line = await refusalOf({ env }, Number.POSITIVE_INFINITY)
    expect(line).toContain('GATEHOUSE_HOST: 192.0.2.1 is not an address of this machine')
  })

  it('in a folder that can’t be made says so', async () => {
    // Not even root can create a folder there.
    const line = await refusalOf({ env: { GATEHOUSE_DATA: '/proc/gatehouse' } })
    expect(line).toContain("GATEHOUSE_DATA: the folder /proc/gatehouse can't be created")
  })

  it('on a damaged file names it', async () => {
    const folder = copyOfLived()
    const path = join(folder, 'sandbox.sqlite')
    writeFileSync(path, readFileSync(path).fill(0x55, 4_096, 8_192))
    const line = await refusalOf({ env: { GATEHOUSE_DATA: folder } })
    expect(line).toContain(`${path} is damaged`)
  })

  it('with another master key says so, and shows none', async () => {
    const GATEHOUSE_MASTER_KEY = 'A'.repeat(43)
    const line = await refusalOf({ env: { GATEHOUSE_DATA: lived, GATEHOUSE_MASTER_KEY } })
    expect(line).toContain('GATEHOUSE_MASTER_KEY')
    expect(line).not.toContain(GATEHOUSE_MASTER_KEY)
  })

  it('without its PostgreSQL says so', async () => {
    const GATEHOUSE_DATABASE_URL = 'postgres://gate:hunter22@127.0.0.1:1/gate'
    const env = {
      GATEHOUSE_DATA: newFolder(),
      GATEHOUSE_DATABASE_URL,
      GATEHOUSE_DATABASE_WAIT: '0',
    }
    const line = await refusalOf({ env })
    expect(line).toContain("GATEHOUSE_DATABASE_URL: PostgreSQL can't be reached")
  })
})
