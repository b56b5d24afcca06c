import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Gatehouse } from '@gatehouse/sdk'
import { commandLine } from '../../packages/server/src/testing/command.ts'
import { databases, type Home } from '../../packages/server/src/testing/databases.ts'
import { type Credentials, newHomeApplication } from '../../packages/server/src/testing/homes.ts'
import {
  type ServerProcess,
  startProcess,
} from '../../packages/server/src/testing/processes/process.ts'

interface LargeFiles {
  writeLargeFile(path: string, size: number, seed: number): Promise<string>
}

async function freePort(): Promise<number> {
  const script = new URL('../../scripts/loopback.mjs', import.meta.url).href
  return await ((await import(script)) as { freePort(): Promise<number> }).freePort()
}

/** Writes pseudo-random bytes, the same for the same seed. Resolves to their checksum. */
export async function writeLargeFile(path: string, size: number, seed: number): Promise<string> {
  const script = new URL('../../scripts/large-file.mjs', import.meta.url).href
  return await ((await import(script)) as LargeFiles).writeLargeFile(path, size, seed)
}

/** A real server with one large file to download. */
export interface LargeHouse {
  readonly server: ServerProcess
  url: string
  client: Gatehouse
  app: Credentials
  size: number
  sha256: string
  /** A folder for downloaded files. */
  folder: string
  newLink(): Promise<string>
  /** Kills the server in the middle of whatever it does, and starts another one at the same address. */
  killAndRestart(): Promise<void>
  stop(): Promise<void>
}

export interface LargeHouseOptions {
  seed: number
  size: number
  /** Additional settings. */
  env?: Record<string, string>
}

export async function openLargeHouse(options: LargeHouseOptions): Promise<LargeHouse> {
  const { seed, size } = options
  const home = await databases[0].makeHome()
  home.env = { ...home.env, GATEHOUSE_PORT: String(await freePort()), ...options.env }
  const folder = await mkdtemp(join(tmpdir(), 'gatehouse-large-'))
  const app = await newHomeApplication(home)
  const sha256 = await fillHouse(home, app, folder, seed, size)
  let server = await startProcess({ env: home.env })
  const url = await server.url
  const client = new Gatehouse({ baseUrl: url, ...app })
  return {
    get server() {
      return server
    },
    url,
    client,
    app,
    size,
    sha256,
    folder,
    newLink: async () => (await client.getDownloadUrl({ rid: app.rid, lifetime: 86_400 })).url,
    async killAndRestart() {
      await server.kill()
      server = await startProcess({ env: home.env })
      await server.url
    },
    async stop() {
      await server.kill()
      await home.remove()
      await rm(folder, { recursive: true, force: true })
    },
  }
}

async function fillHouse(
  home: Home,
  { aid, rid }: Credentials,
  folder: string,
  seed: number,
  size: number,
): Promise<string> {
  const source = join(folder, 'source.bin')
  const sha256 = await writeLargeFile(source, size, seed)
  const named = ['--aid', aid, '--rid', rid]
  await commandLine(home.env).json('download', 'create', ...named, '--file', source, '--publish')
  await rm(source)
  return sha256
}

export async function sha256Of(path: string): Promise<string> {
  const hash = createHash('sha256')
  for await (const chunk of createReadStream(path, { highWaterMark: 1024 * 1024 })) {
    hash.update(chunk)
  }
  return hash.digest('hex')
}
