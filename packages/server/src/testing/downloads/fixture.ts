import { createHash, randomBytes } from 'node:crypto'
import { existsSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Cli, inProcessCli } from '../cli.ts'
import type { TestDatabase } from '../databases.ts'
import { startTestService, type TestApplication, type TestService } from '../service.ts'

export const sha256 = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest('hex')

/** A download as the commands print it. */
export interface PrintedDownload {
  id: string
  rid: string
  file: string
  sha256: string
  size: number
  filed: number
  environment: string
}

/** A resource that has no file yet. */
export interface FixtureResource {
  rid: string
  /** The options that select it on the command line. */
  options: string[]
  create(...args: string[]): Promise<PrintedDownload>
  link(...args: string[]): Promise<{ url: string; expires: number }>
}

/** A service, the commands for it, and files to use with them. */
export interface DownloadFixture {
  service: TestService
  app: TestApplication
  cli: Cli
  /** The settings for the commands. */
  env: Record<string, string>
  /** The folder of the operator's files. */
  folder: string
  newFile(bytes?: string | Uint8Array, name?: string): string
  newResource(): Promise<FixtureResource>
  /** The folder in which an environment's files are stored. */
  storeFolder(environment?: string): string
  /** The names of unfinished uploads. */
  unfinishedUploads(): string[]
  readRows(name: 'files' | 'downloads'): ReturnType<typeof rowsIn>
  stop(): Promise<void>
}

const rowsIn = ({ environment }: TestApplication, name: 'files' | 'downloads') =>
  environment.database.read.selectFrom(name).selectAll().execute()

export async function startDownloadFixture(database: TestDatabase): Promise<DownloadFixture> {
  // The commands use the machine's clock.
  const service = await startTestService(database, { useRealTime: true })
  const app = await service.newApplication()
  const folder = mkdtempSync(join(tmpdir(), 'gatehouse-files-'))
  const env = { ...service.installation.env, GATEHOUSE_BASE_URL: service.url }
  const cli = inProcessCli(env)
  const stored = (environment = 'production') =>
    join(service.installation.env.GATEHOUSE_DATA as string, 'files', environment)
  let count = 0
  return {
    service,
    app,
    cli,
    env,
    folder,
    newFile(bytes = randomBytes(2000), name = `file-${++count}.pdf`) {
      const path = join(folder, name)
      writeFileSync(path, bytes)
      return path
    },
    async newResource() {
      const rid = `issue-${++count}`
      await app.addResource(rid)
      const named = ['--aid', app.aid, '--rid', rid]
      return {
        rid,
        options: named,
        create: (...args) => cli.json('download', 'create', ...named, ...args),
        link: (...args) => cli.json('download', 'link', ...named, ...args),
      }
    },
    storeFolder: stored,
    unfinishedUploads: () => (existsSync(stored()) ? readdirSync(join(stored(), 'uploads')) : []),
    readRows: (name) => rowsIn(app, name),
    async stop() {
      await service.requireInvariants()
      await service.stop()
      rmSync(folder, { recursive: true, force: true })
    },
  }
}
