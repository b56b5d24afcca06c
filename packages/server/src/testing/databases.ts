import { cpSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { inject } from 'vitest'
import { runStatement } from './postgres/run-statement.ts'

/** The data folder, and with PostgreSQL also the database, of a service under test. */
export interface TestInstallation {
  /** The `GATEHOUSE_*` settings that point to it. */
  env: Record<string, string>
  remove(): Promise<void>
}

function dataFolder(): string {
  return mkdtempSync(join(tmpdir(), 'gatehouse-test-'))
}

async function createSqlite(): Promise<TestInstallation> {
  const folder = dataFolder()
  return {
    env: { GATEHOUSE_DATA: folder },
    remove: async () => rmSync(folder, { recursive: true, force: true }),
  }
}

async function createMigratedSqlite(): Promise<TestInstallation> {
  const installation = await createSqlite()
  cpSync(inject('templates').folder, installation.env.GATEHOUSE_DATA as string, { recursive: true })
  return installation
}

async function createPostgres(template = 'template1'): Promise<TestInstallation> {
  const folder = dataFolder()
  const server = inject('postgresUrl')
  const name = `test_${Math.random().toString(36).slice(2)}`
  // Copying files takes half the time of the default, which logs every page.
  await runStatement(server, `create database ${name} template ${template} strategy file_copy`)
  const url = new URL(server)
  url.pathname = name
  return {
    env: { GATEHOUSE_DATA: folder, GATEHOUSE_DATABASE_URL: url.href },
    async remove() {
      await runStatement(server, `drop database ${name} with (force)`)
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

const all = [
  {
    name: 'SQLite',
    engine: 'sqlite',
    createEmpty: createSqlite,
    createMigrated: createMigratedSqlite,
  },
  {
    name: 'PostgreSQL',
    engine: 'postgres',
    createEmpty: () => createPostgres(),
    createMigrated: () => createPostgres(inject('templates').database),
  },
] as const

export type TestDatabase = (typeof all)[number]

/** For `describe.each`: every test must pass on both. `createEmpty` creates an empty home, as before the first start;
 * `createMigrated` creates one with all tables and no rows. Where PostgreSQL was not started, only SQLite is left. */
export const databases = (inject('postgresUrl') === '' ? all.slice(0, 1) : all) as typeof all

/** For `describe.each` in tests of what an entry point itself does; CONTRIBUTING.md says when. */
export const entryPointDatabases = [databases[0]] as const
