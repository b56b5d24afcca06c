import { cpSync, existsSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import { describe, expect, it } from 'vitest'
import { replaceBytes } from '../../testing/backups/filled-service.ts'
import { restoreFile } from '../../testing/backups/restore-file.ts'
import {
  afterRestore,
  databasesOf,
  dump,
  env,
  useBackup,
  withTarget,
} from '../../testing/backups/use-backup.ts'
import { databases } from '../../testing/databases.ts'
import { addDownload } from '../../testing/downloads/downloads.ts'
import { isPartition } from '../../testing/postgres/partition.ts'
import type { TestApplication, TestService } from '../../testing/service.ts'
import { callApi, PASSWORD } from '../../testing/staff.ts'
import { sweepDownloads } from '../downloads/sweep.ts'
import { writeBackup } from './backup.ts'
import { anyDatabase } from './databases.ts'
import { DATABASE_NAMES, DERIVED_TABLES, tablesOf } from './tables.ts'

const filesOf = (service: TestService) =>
  join(service.installation.env.GATEHOUSE_DATA as string, 'files')

const MONEY = [
  ...['prices', 'subscriptions', 'payments', 'refunds', 'checkouts', 'trials', 'test_ledger'],
  ...['provider_refs', 'notices'],
].map((table) => `production.${table}`)

describe.each(databases)('a backup of $name', (database) => {
  const { service, apps, path, newPath } = useBackup(database)

  it('covers every table that there is', async () => {
    for (const name of DATABASE_NAMES) {
      const { read } = anyDatabase(databasesOf(service.ctx), name)
      const found = (await read.introspection.getTables())
        .filter((table) => table.schema === undefined || table.schema === name)
        .filter((table) => !isPartition(table.name))
        .map((table) => table.name)
      const covered = tablesOf(name).map(({ table }) => table)
      const counts = name === 'control' ? [] : DERIVED_TABLES
      expect([...covered, ...counts, 'migrations'].sort()).toEqual(found.sort())
    }
    // Otherwise the comparisons below would prove nothing.
    for (const [name, rows] of Object.entries(await dump(service.ctx))) {
      const isEmpty =
        name === 'control.meta' || name.endsWith('.reconciliation_findings') || MONEY.includes(name)
      if (!isEmpty) expect(rows, name).not.toEqual([])
    }
  })

  it.each(databases)(
    'restored onto an empty $name is the same installation, and goes on',
    async (target) => {
      await withTarget(target, async (restored) => {
        await restoreFile(databasesOf(restored.ctx), path)
        expect(await dump(restored.ctx)).toEqual(afterRestore(await dump(service.ctx)))
        expect((await restored.ctx.gate.state()).hold).toMatchObject({ cause: 'restored' })
        for (const app of apps) {
          const [here, there] = [app.client, app.clientAt(restored.url)]
          const search = { show_expired: true }
          const found = await there.searchAccess(search)
          expect(found).toEqual(await here.searchAccess(search))
          expect(found.total).toBe(2)
          const uid = found.data[0]?.uid as string
          expect(await there.getUser(uid)).toEqual(await here.getUser(uid))
          const key = { rid: 'news', user_ref: 'a' }
          expect(await there.getAccess(key)).toEqual(await here.getAccess(key))
        }
        // The restored installation keeps working, and its sequences continue.
        for (const app of apps) {
          const { read } = restored.ctx.environments[app.environment.name].database
          const last = async () =>
            (
              await read
                .selectFrom('history')
                .select('seq')
                .orderBy('seq', 'desc')
                .limit(1)
                .execute()
            )[0]?.seq ?? 0
          const before = await last()
          const client = app.clientAt(restored.url)
          await client.grantAccess({ rid: 'maps', email: 'new@example.com', user_ref: 'new' })
          expect(await last()).toBeGreaterThan(before)
          await client.revokeAccess({ rid: 'news', user_ref: 'a' })
        }
        const body = { email: 'owner@example.com', password: PASSWORD }
        // Said only after the right password.
        const { json } = await callApi(restored.url, 'POST', '/sign-in', { body })
        expect(json).toMatchObject({ error: { code: 'passkey_required' } })
        await restored.requireInvariants()
      })
    },
  )

  it('under load holds every grant that was answered before it began', async () => {
    const [app] = apps as [TestApplication]
    let answered = 0
    let going = true
    const grantOn = async (worker: number) => {
      for (let i = 0; going; i++) {
        const email = `w${worker}-${i}@example.com`
        await app.client.grantAccess({ rid: 'news', email, user_ref: email, tags: 'load' })
        answered++
      }
    }
    const load = [0, 1, 2, 3].map(grantOn)
    await expect.poll(() => answered).toBeGreaterThan(20)
    const search = { tag: 'load', pagesize: 1000 }
    const before = (await app.client.searchAccess(search)).data
    const busy = newPath()
    await writeBackup(databasesOf(service.ctx), busy)
    const during = answered
    going = false
    await Promise.all(load)
    await withTarget(database, async (restored) => {
      await restoreFile(databasesOf(restored.ctx), busy)
      const after = (await app.clientAt(restored.url).searchAccess(search)).data
      const ids = new Set(after.map((one) => one.id))
      expect(before.filter((one) => !ids.has(one.id))).toEqual([])
      expect(after.length).toBeLessThanOrEqual(during + load.length)
      await restored.requireInvariants()
    })
  })

  it('with the files copied within a day after it delivers what it names, by the same links', async () => {
    const app = await service.newApplication()
    for (const rid of ['replaced', 'kept']) {
      await app.addResource(rid)
      await addDownload(app, rid)
    }
    const links = await Promise.all(
      ['replaced', 'kept'].map(
        async (rid) => (await app.client.getDownloadUrl({ rid, lifetime: 60 })).url,
      ),
    )
    const records = newPath()
    await writeBackup(databasesOf(service.ctx), records)
    await replaceBytes(app, 'replaced', 'newer')
    const almostADay = () => service.clock.now + 86_400_000 - 1
    await sweepDownloads({ ...app.environment, realTime: almostADay })
    await withTarget(database, async (target) => {
      cpSync(filesOf(service), filesOf(target), { recursive: true })
      await restoreFile(databasesOf(target.ctx), records)
      const fetched = links.map(async (url) => {
        const answer = await fetch(url.replace(service.url, target.url))
        return [answer.status, await answer.text()]
      })
      expect(await Promise.all(fetched)).toEqual([
        [200, 'the file of replaced'],
        [200, 'the file of kept'],
      ])
    })
  })

  it('is for its owner alone and overwrites nothing', async () => {
    expect(statSync(path).mode & 0o777).toBe(0o600)
    const bytes = readFileSync(path)
    await expect(writeBackup(databasesOf(service.ctx), path)).rejects.toThrow(/already exists/)
    expect(readFileSync(path)).toEqual(bytes)
    expect(existsSync(`${path}.part`)).toBe(false)
    const other = newPath()
    writeFileSync(`${other}.part`, 'half')
    await expect(writeBackup(databasesOf(service.ctx), other)).rejects.toThrow(
      /\.part already exists/,
    )
    expect(readFileSync(`${other}.part`, 'utf8')).toBe('half')
  })

  it('has neither the master key nor a private key in it', () => {
    const text = gunzipSync(readFileSync(path)).toString()
    expect(text).not.toContain(env.GATEHOUSE_MASTER_KEY)
    for (const app of apps) {
      expect(text).toContain(app.aid)
      expect(text).not.toContain(app.privateKey)
    }
  })
})
