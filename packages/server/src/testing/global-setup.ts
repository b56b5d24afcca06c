import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { TestProject } from 'vitest/node'
import { controlMigrations, environmentMigrations } from '../db/migrations.ts'
import { type DatabaseLocation, openDatabase } from '../db/open.ts'
import { partitionTables } from './postgres/partition.ts'
import { startPostgres } from './postgres/postgres.ts'
import { runStatement } from './postgres/run-statement.ts'
import { prepareStripeTypes } from './stripe/judge/load-types.ts'

declare module 'vitest' {
  export interface ProvidedContext {
    /** Empty where tests run on SQLite only. */
    postgresUrl: string
    /** A folder and a database with all tables and no rows: copying them is faster than migrating again for each
     * service under test. */
    templates: { folder: string; database: string }
  }
}

/** Starts one PostgreSQL server for the whole run; each service under test gets its own database. With
 * `TEST_DATABASES=sqlite` there is none, and tests run on SQLite only. With `TEST_PARTITIONS=2`, tables of applications
 * are spread over as many partitions. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const server = process.env.TEST_DATABASES === 'sqlite' ? undefined : await startPostgres()
  const templates = {
    folder: mkdtempSync(join(tmpdir(), 'gatehouse-template-')),
    database: 'gatehouse_template',
  }
  if (server) await migratePostgres(server.url, templates.database)
  await migrateAll({ engine: 'sqlite', folder: templates.folder })
  await prepareStripeTypes()
  project.provide('postgresUrl', server?.socketUrl ?? '')
  project.provide('templates', templates)
  return async () => {
    await server?.stop()
    rmSync(templates.folder, { recursive: true, force: true })
  }
}

async function migratePostgres(server: string, database: string): Promise<void> {
  await runStatement(server, `create database ${database}`)
  const url = new URL(server)
  url.pathname = database
  await migrateAll({ engine: 'postgres', url: url.href, connections: 2 })
  const parts = Number(process.env.TEST_PARTITIONS ?? 0)
  for (const schema of parts > 0 ? ['production', 'sandbox'] : []) {
    await partitionTables(url.href, schema, parts)
  }
}

async function migrateAll(location: DatabaseLocation): Promise<void> {
  const all = {
    control: controlMigrations,
    production: environmentMigrations,
    sandbox: environmentMigrations,
  }
  for (const [name, migrations] of Object.entries(all)) {
    await (await openDatabase(location, name, migrations)).close()
  }
}
