import { cpSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import pg from 'pg'
import { describe, expect, inject, it, vi } from 'vitest'
import { readConfig } from '../../config/config.ts'
import { createContext } from '../../context.ts'
import { databases, type TestInstallation } from '../../testing/databases.ts'
import { withContext } from '../../testing/installations.ts'
import { copyRows } from '../../testing/postgres/copy-rows.ts'
import { startDatabaseProxy } from '../../testing/postgres/database-proxy.ts'
import { startPostgres } from '../../testing/postgres/postgres.ts'
import {
  check,
  emptyFolder,
  folderOf,
  resume,
  startOnce,
  useKnownInstallation,
} from '../../testing/restores/known-installation.ts'
import { readServer } from '../installation/server.ts'

// These tests start many services, possibly on a machine that is busy with other tests.
vi.setConfig({ testTimeout: 180_000, hookTimeout: 60_000 })

const [, postgres] = databases

describe('an installation on PostgreSQL', () => {
  const { installation, aside } = useKnownInstallation(postgres)

  const urlOf = (name: string) => {
    const url = new URL(installation.env.GATEHOUSE_DATABASE_URL as string)
    url.pathname = name
    return url.href
  }
  const nameOf = () => new URL(installation.env.GATEHOUSE_DATABASE_URL as string).pathname.slice(1)
  async function maintain(...statements: string[]): Promise<void> {
    const client = new pg.Client({ connectionString: inject('postgresUrl') })
    await client.connect()
    for (const statement of statements) await client.query(statement)
    await client.end()
  }

  it('starts on further machines, with empty data folders', async () => {
    cpSync(join(folderOf(installation), 'master.key'), join(aside.folder, 'master.key'))
    const other = { ...installation, env: { ...installation.env, GATEHOUSE_DATA: aside.folder } }
    // The second start leaves the first folder two generations behind.
    for (const one of [other, other, installation, other])
      expect(await startOnce(one)).not.toContain('ON HOLD')
  })

  it('is on hold when its database was copied within the server', async () => {
    const copied = `${nameOf()}_copy`
    await maintain(`create database ${copied} template ${nameOf()}`)
    const copy = {
      ...installation,
      env: { ...installation.env, GATEHOUSE_DATABASE_URL: urlOf(copied) },
    }
    expect(await startOnce(copy)).toContain('copied to another PostgreSQL server or database')
    await resume(copy)
    await maintain(`drop database ${copied} with (force)`)
  })

  it('is on hold when an older copy took the place of its database', async () => {
    const old = `${nameOf()}_old`
    await maintain(`create database ${old} template ${nameOf()}`)
    await check(installation)
    await maintain(
      `drop database ${nameOf()} with (force)`,
      `alter database ${old} rename to ${nameOf()}`,
    )
    expect(await startOnce(installation)).toContain('ON HOLD')
  })

  it('is on hold when a dump of it was loaded into another server', async () => {
    const server = await startPostgres()
    try {
      const there = {
        ...installation,
        env: { ...installation.env, GATEHOUSE_DATABASE_URL: server.url },
      }
      await withContext(there, async () => {})
      await copyRows(installation.env.GATEHOUSE_DATABASE_URL as string, server.url)
      expect(await startOnce(there)).toContain('copied to another PostgreSQL server or database')
      await resume(there)
    } finally {
      await server.stop()
    }
  })

  it('asks nothing of the server that an ordinary role may not', async () => {
    const role = `role_${nameOf()}`
    await maintain(`create role ${role} login`, `grant create on database ${nameOf()} to ${role}`)
    const url = new URL(installation.env.GATEHOUSE_DATABASE_URL as string)
    url.username = role
    const fresh = await postgres.createEmpty()
    const name = new URL(fresh.env.GATEHOUSE_DATABASE_URL as string).pathname.slice(1)
    await maintain(`grant create on database ${name} to ${role}`)
    url.pathname = name
    const env = { ...fresh.env, GATEHOUSE_DATABASE_URL: url.href }
    await withContext({ ...fresh, env }, async ({ control }) => {
      const server = await readServer(control.read)
      expect(Object.values(server).filter((part) => part === '')).toEqual([])
    })
    await fresh.remove()
    await maintain(`drop owned by ${role}`)
  })
})

describe('an installation on a PostgreSQL server', () => {
  it('logs that the server was away, and no failure, when it can’t count what it has sent', async () => {
    const installation = await postgres.createMigrated()
    const proxy = await startDatabaseProxy(installation.env.GATEHOUSE_DATABASE_URL as string)
    const troubles: string[] = []
    const log = {
      error: ({ trouble }: { trouble: string }) => troubles.push(trouble),
      info: () => {},
    }
    const config = readConfig({ ...installation.env, GATEHOUSE_DATABASE_URL: proxy.url })
    const { gate, close } = await createContext(config, { log })
    await gate.requireOpen()
    await proxy.close()
    await gate.close()
    expect(troubles).toEqual(['database_unavailable'])
    await close()
    await installation.remove()
  })

  it('is on hold when a standby took over, also while it runs', async () => {
    const main = await startPostgres()
    const standby = await main.startStandby()
    const folder = emptyFolder()
    const proxy = await startDatabaseProxy(main.url)
    const env = { GATEHOUSE_DATA: folder, GATEHOUSE_DATABASE_URL: proxy.url }
    const installation: TestInstallation = { env, remove: async () => {} }
    try {
      expect(await startOnce(installation)).not.toContain('ON HOLD')
      await withContext(installation, async ({ gate }) => {
        await gate.requireOpen()
        await main.halt('fast')
        const client = new pg.Client({ connectionString: standby.url })
        await client.connect()
        await client.query('select pg_promote(true)')
        await client.end()
        proxy.leadTo(standby.url)
        await expect(gate.requireOpen()).rejects.toThrow('on hold')
      })
      const taken = { ...installation, env: { ...env, GATEHOUSE_DATABASE_URL: standby.url } }
      expect(await startOnce(taken)).toContain('or a standby took over')
      await resume(taken)
    } finally {
      await proxy.close()
      await standby.stop()
      await main.stop()
      rmSync(folder, { recursive: true })
    }
  })
})
