import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Gatehouse } from '@gatehouse/sdk'
import { spawnedCli } from '../../packages/server/src/testing/cli.ts'
import { databases, type TestInstallation } from '../../packages/server/src/testing/databases.ts'
import {
  type Credentials,
  createApplicationIn,
} from '../../packages/server/src/testing/installations.ts'
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
export interface LargeFileServer {
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

export interface LargeFileServerOptions {
  seed: number
  size: number
  /** Additional settings. */
  env?: Record<string, string>
}

export async function startLargeFileServer(
  options: LargeFileServerOptions,
): Promise<LargeFileServer> {
  const { seed, size } = options
  const installation = await databases[0].createEmpty()
  installation.env = {
    ...installation.env,
    GATEHOUSE_PORT: String(await freePort()),
    ...options.env,
  }
  const folder = await mkdtemp(join(tmpdir(), 'gatehouse-large-'))
  const app = await createApplicationIn(installation)
  const sha256 = await addLargeFile(installation, app, folder, seed, size)
  let server = await startProcess({ env: installation.env })
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
      server = await startProcess({ env: installation.env })
      await server.url
    },
    async stop() {
      await server.kill()
      await installation.remove()
      await rm(folder, { recursive: true, force: true })
    },
  }
}

async function addLargeFile(
  installation: TestInstallation,
  { aid, rid }: Credentials,
  folder: string,
  seed: number,
  size: number,
): Promise<string> {
  const source = join(folder, 'source.bin')
  const sha256 = await writeLargeFile(source, size, seed)
  const named = ['--aid', aid, '--rid', rid]
  await spawnedCli(installation.env).json(
    'download',
    'create',
    ...named,
    '--file',
    source,
    '--publish',
  )
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
