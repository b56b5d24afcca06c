import { createHash, randomBytes } from 'node:crypto'
import {
  cpSync,
  existsSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gunzipSync, gzipSync } from 'node:zlib'
import sharp from 'sharp'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Context } from '../../context.ts'
import { createAuthenticator } from '../../testing/browser/authenticator.ts'
import { databases, type TestDatabase } from '../../testing/databases.ts'
import {
  addDownload,
  testActor,
  toDeliveryRows,
  uploadBytes,
} from '../../testing/downloads/downloads.ts'
import { isIdentityRow } from '../../testing/dump.ts'
import { sendSigned } from '../../testing/http/requests.ts'
import { openShop } from '../../testing/payments/shop.ts'
import { isPartition } from '../../testing/postgres/partition.ts'
import { startTestService, type TestApplication, type TestService } from '../../testing/service.ts'
import { callApi, newOwner, PASSWORD } from '../../testing/staff.ts'
import { useService } from '../../testing/use-service.ts'
import { addWebhookRows } from '../../testing/webhooks/rows.ts'
import { recordDeliveries } from '../downloads/deliveries.ts'
import { replaceFile } from '../downloads/downloads.ts'
import { sweepDownloads } from '../downloads/sweep.ts'
import { countUse } from '../downloads/uses.ts'
import { stampPositions } from '../events/stamp.ts'
import { setImage } from '../images/attach.ts'
import { storeImage } from '../images/images.ts'
import { makeDigests } from '../notifications/digest.ts'
import { setOpens } from '../passes/opens.ts'
import { eraseUser } from '../people/erase.ts'
import { createPrice } from '../resources/prices.ts'
import { enqueueStaffMails } from '../staff/mails.ts'
import { addNote } from '../users/notes.ts'
import { writeBackup } from './backup.ts'
import { anyDatabase, type Databases } from './databases.ts'
import { restoreBackup } from './restore.ts'
import { DATABASE_NAMES, DERIVED_TABLES, tablesOf } from './tables.ts'

const folder = mkdtempSync(join(tmpdir(), 'gatehouse-backup-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

let files = 0
const newPath = () => join(folder, `${files++}.backup`)

const env = { GATEHOUSE_MASTER_KEY: randomBytes(32).toString('base64url') }

const databasesOf = ({ control, environments }: Context): Databases => ({
  production: environments.production.database,
  sandbox: environments.sandbox.database,
  control,
})

/** Rows that differ after a restore: the hold, and what identifies one copy of a database. */
const isOwn = ({ name }: { name?: unknown }) => name === 'hold' || isIdentityRow(name)

/** Dumps every row that a backup contains. */
async function dump(ctx: Context): Promise<Record<string, string[]>> {
  const rows: Record<string, string[]> = {}
  for (const name of DATABASE_NAMES) {
    const { read } = anyDatabase(databasesOf(ctx), name)
    for (const { table } of tablesOf(name)) {
      const found = await read.selectFrom(table).selectAll().execute()
      const carried = found.filter((row) => table !== 'meta' || !isOwn(row))
      rows[`${name}.${table}`] = carried.map((row) => JSON.stringify(row)).sort()
    }
  }
  return rows
}

/** Adds data to every table. */
async function fill(service: TestService): Promise<TestApplication[]> {
  const apps = [await service.newApplication(), await service.newApplication('sandbox')]
  for (const app of apps) {
    for (const rid of ['news', 'maps']) await app.addResource(rid, { url: 'https://example.com/' })
    const grant = app.client.grantAccess.bind(app.client)
    await grant({
      rid: 'news',
      email: 'a@example.com',
      user_ref: 'a',
      tags: 'x,y',
      message: '\u2028\n',
    })
    await grant({ rid: 'maps', email: 'a@example.com', user_ref: 'a', expiration: 0 })
    await grant({ rid: 'news', email: 'zoë@example.com', user_ref: 'z "🙂"', first_name: 'Zoë' })
    await app.client.revokeAccess({ rid: 'news', user_ref: 'z "🙂"' })
    const { uid } = await grant({ rid: 'news', email: 'gone@example.com' })
    const { database, clock } = app.environment
    const clocks = { now: clock(), realTime: 0 }
    await database.write((trx) => eraseUser(trx, { aid: app.aid, uid, actor: 'test' }, clocks))
    const ann = await app.client.getAccess({ rid: 'news', user_ref: 'a' })
    const about = { aid: app.aid, uid: ann.uid, actor: 'test' }
    await database.write((trx) => addNote(trx, about, 'Zoë’s\n"note" 🙂', clock()))
    const opens = { rids: ['film"7"'], prefixes: ['zoë/🙂'], all: true }
    await database.write((trx) =>
      setOpens(trx, { aid: app.aid, rid: 'maps' }, opens, clock(), 'test'),
    )
    await app.environment.linkKey()
    await database.write((trx) => addWebhookRows(trx, service.ctx.masterKey, app.aid))
    await addFiles(app)
  }
  await sell(service)
  await addStaff(service, apps[0] as TestApplication)
  for (const app of apps) {
    await sendSigned(app, 'GET', '/r2/access', { rid: 'news' })
    await app.environment.calls.flush()
    await app.client.getAccess({ rid: 'maps', user_ref: 'a' }).catch(() => {})
    await app.environment.refusals.flush()
    await stampPositions(app.environment.database, app.aid)
  }
  return apps
}

/** Adds an owner with a passkey, a saved view, a pair of applications, an open invitation and a failed sign-in. */
async function addStaff(service: TestService, app: TestApplication): Promise<void> {
  const owner = await newOwner(service)
  const options = (await owner.call('POST', '/passkeys/options', { password: PASSWORD })).json
  const response = createAuthenticator(service.url).register(options)
  await owner.call('POST', '/passkeys', { name: 'Zoë’s key 🙂', response })
  await owner.call('POST', '/passkeys/options', { password: PASSWORD })
  const [env, aid] = [app.environment.name, app.aid]
  const view = { list: 'access', name: 'Zoë’s 🙂', search: { state: 'ending', sort: 'ends' } }
  await owner.call('POST', `/${env}/${aid}/views`, view)
  await owner.call('PUT', `/${env}/${aid}/pair`, {})
  await owner.call('POST', '/team/invite', { email: 'late@example.com', role: 'reader' })
  await owner.call('PATCH', `/${env}/${aid}/notifications`, { kind: 'sale', on: true })
  await owner.call('POST', '/tokens', { name: 'CMS', role: 'support', aid, ends_at: null })
  await makeDigests(service.ctx, app.environment)
  const mail = { key: 'sale:1', kind: 'sale' as const, staff_id: owner.id, aid }
  await service.ctx.control.write((trx) => enqueueStaffMails(trx, [mail], service.clock.now))
  const wrong = { email: 'owner@example.com', password: 'wrong' }
  await callApi(service.url, 'POST', '/sign-in', { body: wrong })
}

/** Adds a logo, and a file that was replaced once and fetched through a link with a use limit. */
async function addFiles(app: TestApplication): Promise<void> {
  const { environment, aid } = app
  const { database, clock } = environment
  const { id } = await addDownload(app, 'maps', Buffer.from('old'), { title: 'Zoë’s "maps" 🙂' })
  await replaceBytes(app, 'maps', 'the file of maps')
  const link = { id: 'link', aid, downloadId: id, expires: clock() + 60 }
  await database.write((trx) => countUse(trx, link, 2, clock()))
  const { uid } = await app.client.getAccess({ rid: 'news', user_ref: 'a' })
  const done = { at: clock(), bytes: 2 ** 40, outcome: 'partial' } as const
  const delivery = { aid, rid: 'maps', download_id: id, link: link.id, uid, ...done }
  await database.write((trx) => recordDeliveries(trx, toDeliveryRows([delivery]), clock()))
  const logo = { create: { width: 120, height: 80, channels: 3, background: 'red' } } as const
  await storeImage(environment, aid, await sharp(logo).png().toBuffer(), (image) =>
    database.write((trx) =>
      setImage(trx, { kind: 'application', aid }, image, testActor(environment)),
    ),
  )
}

async function replaceBytes(app: TestApplication, rid: string, bytes: string): Promise<void> {
  const { environment, aid } = app
  const named = { fileName: 'Zoë.txt', type: 'text/plain' }
  await uploadBytes(app, Buffer.from(bytes), (file) =>
    environment.database.write((trx) =>
      replaceFile(trx, { aid, rid }, file, named, testActor(environment)),
    ),
  )
}

const filesOf = (service: TestService) =>
  join(service.installation.env.GATEHOUSE_DATA as string, 'files')

/** Sells in the sandbox only: production has no payment provider. */
async function sell(service: TestService): Promise<void> {
  const shop = await openShop(service)
  await shop.addResource('pass')
  const { database, clock } = shop.environment
  const terms = {
    amount: 499,
    currency: 'EUR',
    recurring: 1,
    period: '1 month',
    trial_days: 0,
  } as const
  const price = { aid: shop.aid, rid: 'pass', ...terms }
  await database.write((trx) => createPrice(trx, price, clock(), 'test'))
  await shop.buy({ rid: 'pass', userRef: 'buyer', terms })
  await shop.client.revokeAccess({ rid: 'pass', user_ref: 'buyer', refund: true })
  await shop.buy({ rid: 'pass', userRef: 'buyer', terms })
  await shop.buy({ rid: 'pass', userRef: 'new-buyer', terms: { ...terms, trial_days: 14 } })
}

const MONEY = [
  ...['prices', 'subscriptions', 'payments', 'refunds', 'checkouts', 'trials', 'test_ledger'],
  ...['provider_refs', 'notices'],
].map((table) => `production.${table}`)

async function withTarget(
  database: TestDatabase,
  work: (target: TestService) => Promise<void>,
): Promise<void> {
  const target = await startTestService(database, { env })
  try {
    await work(target)
  } finally {
    await target.stop()
  }
}

describe.each(databases)('a backup of $name', (database) => {
  const service = useService(database, { env })
  let apps: TestApplication[]
  let path: string
  beforeAll(async () => {
    apps = await fill(service)
    path = newPath()
    await writeBackup(databasesOf(service.ctx), path)
  })

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
        await restoreBackup(databasesOf(restored.ctx), path)
        expect(await dump(restored.ctx)).toEqual(await dump(service.ctx))
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
        expect((await callApi(restored.url, 'POST', '/sign-in', { body })).status).toBe(200)
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
      await restoreBackup(databasesOf(restored.ctx), busy)
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
      await restoreBackup(databasesOf(target.ctx), records)
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

  describe('is not restored', () => {
    const target = useService(database, { env })

    const refused = async (bytes: Uint8Array, reason: RegExp) => {
      const bad = newPath()
      writeFileSync(bad, bytes)
      const before = await dump(target.ctx)
      await expect(restoreBackup(databasesOf(target.ctx), bad)).rejects.toThrow(reason)
      expect(await dump(target.ctx)).toEqual(before)
    }

    const lines = () => gunzipSync(readFileSync(path)).toString().split('\n').slice(0, -1)
    const packed = (all: string[]) => gzipSync(all.map((line) => `${line}\n`).join(''))

    /** Packs lines with a matching checksum. */
    function signed(all: string[]): Buffer {
      const body = all.slice(0, -1)
      const footer = JSON.parse(all.at(-1) as string)
      const sha256 = createHash('sha256')
        .update(body.map((line) => `${line}\n`).join(''))
        .digest('hex')
      return packed([...body, JSON.stringify({ ...footer, sha256 })])
    }

    it.each([0.01, 0.3, 0.7, 0.999])('if it is cut short at %d of its length', async (part) => {
      const bytes = readFileSync(path)
      await refused(bytes.subarray(0, Math.floor(bytes.length * part)), /is damaged or incomplete/)
    })

    it('if a line is missing, altered or added', async () => {
      const all = lines()
      const row = all.findIndex((line) => line.includes('"zoë@example.com"'))
      await refused(packed(all.toSpliced(row, 1)), /checksum/)
      const altered = (all[row] as string).replace('zoë@', 'eve@')
      await refused(packed(all.toSpliced(row, 1, altered)), /checksum/)
      await refused(packed([...all, '[]']), /after its end/)
      await refused(packed(all.slice(0, -1)), /end is missing/)
    })

    it('if it has fewer rows than it tells, though its checksum fits', async () => {
      const all = lines()
      const row = all.findIndex((line) => line.includes('"zoë@example.com"'))
      await refused(signed(all.toSpliced(row, 1)), /rows are missing/)
    })

    it('if a byte of it was changed', async () => {
      const bytes = readFileSync(path)
      const at = Math.floor(bytes.length / 2)
      bytes[at] = (bytes[at] as number) ^ 1
      await refused(bytes, /is damaged or incomplete/)
    })

    it('if it is another file', async () => {
      await refused(Buffer.from('hello'), /is damaged or incomplete/)
      await refused(packed(['{"a":1}']), /not a Gatehouse backup/)
      const missing = restoreBackup(databasesOf(target.ctx), newPath())
      await expect(missing).rejects.toThrow(/can't be read/)
    })

    it('if a newer version, or another format, made it', async () => {
      const [first, ...rest] = lines() as [string, ...string[]]
      const header = JSON.parse(first)
      const withHeader = (change: object) =>
        signed([JSON.stringify({ ...header, ...change }), ...rest])
      const { migrations } = header
      const newer = { ...migrations, sandbox: [...migrations.sandbox, '9999_future'] }
      await refused(withHeader({ migrations: newer }), /newer Gatehouse \(it has 9999_future\)/)
      await refused(
        withHeader({ migrations: { ...migrations, control: [] } }),
        /lacks the migration/,
      )
      await refused(withHeader({ version: 2 }), /format 2/)
    })

    it('onto an installation that has an application', async () => {
      await target.newApplication('sandbox')
      await refused(readFileSync(path), /sandbox already has applications/)
    })
  })

  it('that is restored in two goes, the first of which was stopped, is whole', async () => {
    await withTarget(database, async (target) => {
      const whole = databasesOf(target.ctx)
      const stopped: Databases = {
        ...whole,
        sandbox: {
          ...whole.sandbox,
          write: async () => {
            throw new Error('stopped')
          },
        },
      }
      await expect(restoreBackup(stopped, path)).rejects.toThrow('stopped')
      await restoreBackup(whole, path)
      const [app] = apps as [TestApplication]
      const found = await app.clientAt(target.url).getAccess({ rid: 'news', user_ref: 'a' })
      expect(found.aid).toBe(app.aid)
      expect(JSON.stringify(await dump(target.ctx))).not.toContain('restored_from')
      await expect(restoreBackup(whole, path)).rejects.toThrow(/already has applications/)
      await target.requireInvariants()
    })
  })

  it('that was stopped while it took its marks away is finished by a second go', async () => {
    await withTarget(database, async (target) => {
      const whole = databasesOf(target.ctx)
      let writes = 0
      const stopped: Databases = {
        ...whole,
        sandbox: {
          ...whole.sandbox,
          write: async (work) => {
            if (++writes > 1) throw new Error('stopped')
            return await whole.sandbox.write(work)
          },
        },
      }
      await expect(restoreBackup(stopped, path)).rejects.toThrow('stopped')
      // An installation in this state can be used and backed up like any other.
      const between = newPath()
      await writeBackup(whole, between)
      expect(gunzipSync(readFileSync(between)).toString()).not.toContain('restored_from')
      await restoreBackup(whole, path)
      expect(await dump(target.ctx)).toEqual(await dumpOf(path))
      await withTarget(database, async (other) => {
        await restoreBackup(databasesOf(other.ctx), between)
        expect(await dump(other.ctx)).toEqual(await dump(target.ctx))
      })
      await target.requireInvariants()
    })
  })

  /** Returns what a backup contains, by restoring it onto another installation without interruption. */
  async function dumpOf(file: string): Promise<Record<string, string[]>> {
    let rows: Record<string, string[]> = {}
    await withTarget(database, async (target) => {
      await restoreBackup(databasesOf(target.ctx), file)
      rows = await dump(target.ctx)
    })
    return rows
  }

  it('that has a mark of an earlier restore in it is restored all the same', async () => {
    const marked = newPath()
    const row = JSON.stringify(['restored_from', 'x'])
    const all = gunzipSync(readFileSync(path)).toString().split('\n').slice(0, -1)
    const at = all.findIndex((line) => line.includes('"database":"production","table":"meta"'))
    const body = all.slice(0, -1).toSpliced(at + 1, 0, row)
    const footer = JSON.parse(all.at(-1) as string)
    footer.rows['production.meta']++
    const text = body.map((line) => `${line}\n`).join('')
    const sha256 = createHash('sha256').update(text).digest('hex')
    writeFileSync(marked, gzipSync(`${text}${JSON.stringify({ ...footer, sha256 })}\n`))
    await withTarget(database, async (target) => {
      await restoreBackup(databasesOf(target.ctx), marked)
      expect(await dump(target.ctx)).toEqual(await dumpOf(path))
    })
  })
})
