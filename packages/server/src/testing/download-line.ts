import { createHash, randomBytes } from 'node:crypto'
import { existsSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type CommandLine, quickLine } from './command.ts'
import type { TestDatabase } from './databases.ts'
import { startTestService, type TestApplication, type TestService } from './service.ts'

export const sha256 = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest('hex')

/** What the commands print of a download. */
export interface PrintedDownload {
  id: string
  rid: string
  file: string
  sha256: string
  size: number
  filed: number
  environment: string
}

/** A resource without a file yet. */
export interface Shelf {
  rid: string
  /** What names it on the command line. */
  named: string[]
  create(...args: string[]): Promise<PrintedDownload>
  link(...args: string[]): Promise<{ url: string; expires: number }>
}

/** A service, the commands beside it, and files to give them. */
export interface DownloadLine {
  service: TestService
  app: TestApplication
  cli: CommandLine
  /** The settings of the commands. */
  env: Record<string, string>
  /** Where the files of the operator are. */
  folder: string
  newFile(bytes?: string | Uint8Array, name?: string): string
  newShelf(): Promise<Shelf>
  /** Where an environment's files are kept. */
  stored(environment?: string): string
  /** The names of what is being taken in. */
  uploads(): string[]
  rowsOf(name: 'files' | 'downloads'): ReturnType<typeof rowsIn>
  stop(): Promise<void>
}

const rowsIn = ({ environment }: TestApplication, name: 'files' | 'downloads') =>
  environment.database.read.selectFrom(name).selectAll().execute()

export async function startDownloadLine(database: TestDatabase): Promise<DownloadLine> {
  // The commands have this machine's clock.
  const service = await startTestService(database, { realTime: true })
  const app = await service.newApplication()
  const folder = mkdtempSync(join(tmpdir(), 'gatehouse-files-'))
  const env = { ...service.home.env, GATEHOUSE_BASE_URL: service.url }
  const cli = quickLine(env)
  const stored = (environment = 'production') =>
    join(service.home.env.GATEHOUSE_DATA as string, 'files', environment)
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
    async newShelf() {
      const rid = `issue-${++count}`
      await app.addResource(rid)
      const named = ['--aid', app.aid, '--rid', rid]
      return {
        rid,
        named,
        create: (...args) => cli.json('download', 'create', ...named, ...args),
        link: (...args) => cli.json('download', 'link', ...named, ...args),
      }
    },
    stored,
    uploads: () => (existsSync(stored()) ? readdirSync(join(stored(), 'uploads')) : []),
    rowsOf: (name) => rowsIn(app, name),
    async stop() {
      await service.requireInvariants()
      await service.stop()
      rmSync(folder, { recursive: true, force: true })
    },
  }
}
