import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { inject } from 'vitest'

/** An empty place for a service to live in. */
export interface Home {
  /** `GATEHOUSE_*` that lead there. */
  env: Record<string, string>
  remove(): Promise<void>
}

function dataFolder(): string {
  return mkdtempSync(join(tmpdir(), 'gatehouse-test-'))
}

async function sqliteHome(): Promise<Home> {
  const folder = dataFolder()
  return {
    env: { GATEHOUSE_DATA: folder },
    remove: async () => rmSync(folder, { recursive: true, force: true }),
  }
}

async function maintain(statement: string): Promise<void> {
  const client = new pg.Client({ connectionString: inject('postgresUrl') })
  await client.connect()
  try {
    await client.query(statement)
  } finally {
    await client.end()
  }
}

async function postgresHome(): Promise<Home> {
  const folder = dataFolder()
  const name = `test_${Math.random().toString(36).slice(2)}`
  await maintain(`create database ${name}`)
  const url = new URL(inject('postgresUrl'))
  url.pathname = name
  return {
    env: { GATEHOUSE_DATA: folder, GATEHOUSE_DATABASE_URL: url.href },
    async remove() {
      await maintain(`drop database ${name} with (force)`)
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

/** For `describe.each`: what is true must be true on both. */
export const databases = [
  { name: 'SQLite', engine: 'sqlite', makeHome: sqliteHome },
  { name: 'PostgreSQL', engine: 'postgres', makeHome: postgresHome },
] as const

export type TestDatabase = (typeof databases)[number]
