import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { sql } from 'kysely'
import { beforeAll, describe, expect, it, vi } from 'vitest'
import type { Db } from '../../db/database.ts'
import { createLogger } from '../../logging/logger.ts'
import { type Cli, inProcessCli } from '../../testing/cli.ts'
import { databases } from '../../testing/databases.ts'
import { addDownload } from '../../testing/downloads/downloads.ts'
import { getPage, redirectTarget, submitForm } from '../../testing/payments/page-client.ts'
import { goToPayment, payOnPage } from '../../testing/payments/page-shop.ts'
import { isPartition } from '../../testing/postgres/partition.ts'
import { callApi } from '../../testing/staff.ts'
import { useOwner, usePageShop, useService } from '../../testing/use-service.ts'
import {
  addSecretRow,
  newAttemptRow,
  newDeliveryRow,
  newEndpointRow,
} from '../../testing/webhooks/rows.ts'
import { startErasureWorker } from '../../worker/erasure-worker.ts'
import { DERIVED_TABLES } from '../backup/tables.ts'
import { listEvents } from '../events/list.ts'

/** Part of every text that is entered about the person, and of nothing else. */
const CANARY = 'kanarienvogel'
const EMAIL = `${CANARY}.new@example.com`
const REF = `${CANARY}-ref`
const MONTHLY = { amount: '4.99', currency: 'EUR', recurring: true, period: '1 month' } as const

type Row = Record<string, unknown>
type Dump = Record<string, Row[]>

/** Lists the tables that really exist. On PostgreSQL, introspection also returns the other schemas. */
async function tablesIn(db: unknown, schema: string) {
  const tables = await (db as Db).introspection.getTables()
  return tables.filter(
    ({ schema: its, name }) => (its === undefined || its === schema) && !isPartition(name),
  )
}

/** Reads every row of every table. */
async function dump(db: unknown, schema: string): Promise<Dump> {
  const tables = await tablesIn(db, schema)
  const all: Dump = {}
  for (const { name } of tables) {
    all[name] = (await sql<Row>`select * from ${sql.table(name)}`.execute(db as Db)).rows
  }
  return all
}

const textOf = (value: unknown) => JSON.stringify(value)?.toLowerCase() ?? ''
const hasCanary = (value: unknown) => textOf(value).includes(CANARY)

/** The columns that contain the canary, as `table.column`. */
const placesIn = (all: Dump): string[] => [
  ...new Set(
    Object.entries(all).flatMap(([table, rows]) =>
      rows.flatMap((row) =>
        Object.entries(row).flatMap(([column, value]) =>
          hasCanary(value) ? `${table}.${column}` : [],
        ),
      ),
    ),
  ),
]

/** A row with one of these columns is about a person. */
const LINKS = ['uid', 'access_id', 'payment_id', 'subscription_id', 'checkout_id']

/** Tables without a row about the person before the erasure: pending work and derived data. */
const UNSEEDED = ['erasures', 'reconciliation_findings', ...DERIVED_TABLES] as readonly string[]

/** Columns that never hold typed text: our own ids, statuses and reasons, and the name and URL of a resource. Every
 * other column of a row about a person counts as personal data. */
const IMPERSONAL = new Set([
  ...['id', 'aid', 'uid', 'rid', 'download_id', ...LINKS, 'key', 'mail_key', 'lease_token'],
  ...[
    'kind',
    'status',
    'purpose',
    'outcome',
    'action',
    'actor',
    'flag',
    'failure',
    'reason',
    'code',
  ],
  ...['currency', 'period', 'next_step', 'provider', 'provider_ref', 'refusal'],
  ...['link', 'link_mark', 'key_mark', 'resource_name', 'resource_url'],
  ...['provider_refs.ref', 'tie_breaker', 'changed_by', 'events.type', 'digest'],
  ...['endpoint', 'event_id', 'webhook_deliveries.type', 'state', 'replay'],
  ...['webhook_attempts.url', 'webhook_attempts.error'],
])

/** Columns that add nothing to what is exported: digests of it, copies of records, and what receivers of events said. */
const NOT_EXPORTED = [
  'webhook_attempts.response',
  ...['users.email_key', 'sources.message_digest'],
  ...['handled_requests.content', 'handled_requests.body'],
]

const JSON_COLUMNS = ['access.tags', 'history.before', 'history.after', 'outbox.payload']

describe.each(databases)('after the erasure of a person on $name', (database) => {
  let cli: Cli
  let uid: string
  /** The environment's rows before the erasure. */
  let before: Dump
  let exported: string

  const env = () => shop.environment
  const ask = (method: string, path: string, body?: unknown) =>
    owner.call(method, `/sandbox/${shop.aid}${path}`, body)
  const link = (more: object) => shop.link({ rid: 'pass', name: 'Pass', ...MONTHLY, ...more })

  const service = useService(database)
  const owner = useOwner(service)
  const shop = usePageShop(service)
  beforeAll(async () => {
    cli = inProcessCli({ ...service.installation.env, GATEHOUSE_BASE_URL: service.url })
    await shop.changeSettings({ return_urls: '["https://magazine.example"]' })
    for (const rid of ['news', 'maps', 'pass', 'article']) await shop.addResource(rid)
    await seedByApi()
    await seedByCommands()
    await seedByDashboard()
    await seedByCheckouts()
    await seedByWebhook()
    before = await fillUp()
    exported = (await ask('GET', `/people/${uid}/export`)).text
  })

  async function seedByApi() {
    const grant = {
      ...{ rid: 'news', email: `${CANARY}.old@example.com`, user_ref: REF },
      ...{ first_name: `${CANARY} first`, last_name: `${CANARY} last` },
    }
    const message = `${CANARY} message. `.repeat(400)
    uid = (await shop.client.grantAccess({ ...grant, message, tags: `${CANARY} old tag,gift` })).uid
    await shop.client.grantAccess({ ...grant, tags: `${CANARY} tag,gift` })
    await shop.client.grantAccess({ ...grant, rid: 'maps', tags: `${CANARY} revoked` })
    await shop.client.revokeAccess({ rid: 'maps', user_ref: REF })
    await shop.client.grantAccess({
      ...{ rid: 'news', email: 'other@example.com', user_ref: 'other', tags: 'gift' },
    })
    // Refused calls, some of which are recorded.
    for (const rid of [`${CANARY}-rid`, 'maps']) {
      await shop.client.getAccess({ rid, user_ref: REF }).catch(() => {})
    }
    await env().refusals.flush()
    await shop.client.grantAccess({ rid: 'news', email: `${CANARY} is no address` }).catch(() => {})
    await addDownload(shop, 'news')
    const { url } = await shop.client.getDownloadUrl({
      ...{ rid: 'news', lifetime: 60, user_ref: REF, filename: `${CANARY}.bin` },
    })
    const file = await fetch(url)
    expect(file.status).toBe(200)
    await file.arrayBuffer()
    // The delivery is recorded after the last byte is sent.
    await vi.waitFor(async () => {
      const noted = await env().database.read.selectFrom('deliveries').select('id').execute()
      expect(noted).toHaveLength(1)
    }, 60_000)
  }

  async function seedByCheckouts() {
    const names = { first_name: `${CANARY} first`, last_name: `${CANARY} last` }
    const return_url = `https://magazine.example/${CANARY}`
    const typed = { ...names, email: `${CANARY}.typed@example.com` }
    await getPage(
      await payOnPage(await goToPayment(await link({ user_ref: REF, return_url }), typed)),
    )
    const { url } = await shop.client.getManageLink({ rid: 'pass', user_ref: REF })
    redirectTarget(await submitForm(url, { action: 'card' }), url)
    const once = { rid: 'article', name: 'Article', amount: '2.00', currency: 'EUR' }
    const bought = await shop.link({ ...once, user_ref: REF })
    await getPage(await payOnPage(await goToPayment(bought, typed)))
    const { data } = await shop.client.searchPayments({ rid: 'article' })
    const payment = data[0]?.id as string
    await shop.client.refundPayment({
      payment,
      amount: 0.5,
      reference: `${CANARY} refund`,
    } as never)
    // Unpaid checkouts: one by a link and one by a typed address. One open checkout is then set to expired.
    await goToPayment(await link({ rid: 'maps', email: EMAIL }), names)
    await goToPayment(await shop.link({ ...once, name: 'Again' }), {
      ...names,
      email: EMAIL.toUpperCase(),
    })
    await env().database.write(async (trx) => {
      const unpaid = trx.selectFrom('checkouts').select('id').where('status', '=', 'open').limit(1)
      await trx
        .updateTable('checkouts')
        .set({ status: 'expired', due: null })
        .where('id', 'in', unpaid)
        .execute()
    })
  }

  /** An event about the person was delivered, and the receiver answered with personal text. */
  async function seedByWebhook() {
    const { aid } = shop
    const events = await listEvents(env().database, aid, { after: 0, limit: 1_000 })
    const event = events.find((one) => one.uid === uid)
    if (!event) throw new Error('nothing happened to the person')
    const { position, sequence, type } = event
    const key = { aid, endpoint: 'hook', event_id: event.id }
    await env().database.write(async (trx) => {
      const endpoint = newEndpointRow({ aid, id: 'hook', position })
      await trx.insertInto('webhook_endpoints').values(endpoint).execute()
      const secret = { aid, endpoint: 'hook', id: 's1', text: 'whsec_c2VjcmV0' }
      await addSecretRow(trx, service.ctx.masterKey, secret)
      const delivery = newDeliveryRow({ ...key, uid, position, sequence, type })
      await trx.insertInto('webhook_deliveries').values(delivery).execute()
      const attempt = newAttemptRow({ ...key, response: CANARY })
      await trx.insertInto('webhook_attempts').values(attempt).execute()
    })
  }

  async function seedByCommands() {
    const aid = ['--aid', shop.aid]
    const second = await shop.client.grantAccess({
      ...{ rid: 'maps', email: `${CANARY}.second@example.com`, tags: `${CANARY} second` },
    })
    await cli.json('user', 'add-ref', ...aid, REF, `${CANARY}-added`)
    await cli.json('user', 'merge', ...aid, second.uid, uid)
  }

  async function seedByDashboard() {
    await ask('PATCH', `/people/${uid}`, { email: EMAIL, first_name: `${CANARY} firstname` })
    await ask('POST', `/people/${uid}/refs`, { ref: `${CANARY}-staff` })
    await ask('POST', `/people/${uid}/notes`, { text: `${CANARY} note` })
    await ask('POST', '/access/grant', {
      ...{ rid: 'news', email: EMAIL, tags: `${CANARY} by staff`, message: `${CANARY} by staff` },
    })
    // Staff search for the person, and type personal data where an id belongs.
    for (const path of ['/find', '/people', '/access', '/mails', '/payments']) {
      await ask('GET', `${path}?q=${encodeURIComponent(EMAIL)}`)
    }
    await ask('GET', `/access/export.csv?q=${CANARY}`)
    for (const typed of [EMAIL, REF, `${CANARY}.old@example.com`]) {
      await ask('GET', `/people/${typed}/export`)
      await ask('POST', `/people/${typed}/erase`)
      await ask('POST', `/payments/${typed}/refund`, {})
      await ask('POST', `/access/${typed}/revoke`, {})
    }
    await ask('POST', `/people/${uid}/merge`, { into: EMAIL })
    await ask('PATCH', `/resources/${REF}`, { name: 'x' })
    await ask('POST', '/console', {
      ...{ method: 'GET', path: '/r2/access', parameters: { rid: 'news', user_ref: REF } },
    })
    await callApi(service.url, 'POST', '/sign-in', { body: { email: EMAIL, password: CANARY } })
    const view = { list: 'access', name: 'Hers', search: { email: EMAIL } }
    expect((await ask('POST', '/views', view)).status).toBe(200)
    // Older versions recorded typed values in the audit log.
    await service.ctx.control.write(async (trx) => {
      const row = { at: 1, staff_id: null, email: 'x', environment: 'sandbox', aid: shop.aid }
      const params = JSON.stringify({ uid: EMAIL.toUpperCase() })
      const about = { uid, into: `${CANARY}.older@example.com`, ref: REF }
      await trx
        .insertInto('audit')
        .values({ ...row, action: 'x', params, details: JSON.stringify(about), outcome: 'done' })
        .execute()
    })
  }

  /** The rows about the person: linked by uid, by a canary, or by another such row. */
  function ownRows(all: Dump): Dump {
    const ids = new Set<unknown>([uid])
    const isOwn = (row: Row) => hasCanary(row) || LINKS.some((name) => ids.has(row[name]))
    for (let known = 0; known < ids.size; ) {
      known = ids.size
      for (const rows of Object.values(all)) {
        for (const row of rows) if (isOwn(row) && row.id !== undefined) ids.add(row.id)
      }
    }
    return Object.fromEntries(
      Object.entries(all).map(([table, rows]) => [table, rows.filter(isOwn)]),
    )
  }

  /** Fills every column that may be personal and has no canary yet, including those that no entry point fills. */
  async function fillUp(): Promise<Dump> {
    const own = ownRows(await dump(env().database.read, 'sandbox'))
    const tables = await tablesIn(env().database.read, 'sandbox')
    for (const { name, columns } of tables) {
      for (const column of columns.filter(({ dataType }) => /text/i.test(dataType))) {
        const place = `${name}.${column.name}`
        const row = own[name]?.[0]
        if (
          !row ||
          IMPERSONAL.has(column.name) ||
          IMPERSONAL.has(place) ||
          own[name]?.some((one) => hasCanary(one[column.name]))
        )
          continue
        const value = JSON_COLUMNS.includes(place)
          ? `{"x":"${CANARY} ${place}"}`
          : `${CANARY} ${place}`
        const key = row.id === undefined ? 'uid' : 'id'
        await env().database.write(async (trx) => {
          await sql`update ${sql.table(name)} set ${sql.ref(column.name)} = ${value}
            where ${sql.ref(key)} = ${row[key]}`.execute(trx)
        })
      }
    }
    return await dump(env().database.read, 'sandbox')
  }

  const filesOf = () => {
    const folder = service.installation.env.GATEHOUSE_DATA as string
    return readdirSync(folder)
      .filter((name) => /\.sqlite(-wal)?$/.test(name))
      .map((name) => ({ name, bytes: readFileSync(join(folder, name)).toString('latin1') }))
  }
  const filesWithCanary = () =>
    filesOf()
      .filter(({ bytes }) => bytes.toLowerCase().includes(CANARY))
      .map(({ name }) => name)

  it('every table that is about a person had a row to erase', async () => {
    const tables = await tablesIn(env().database.read, 'sandbox')
    const personal = tables
      .filter(({ columns }) => columns.some(({ name }) => LINKS.includes(name)))
      .map(({ name }) => name)
      .filter((name) => !UNSEEDED.includes(name))
    expect(personal.length).toBeGreaterThan(8)
    const own = ownRows(before)
    expect(personal.filter((name) => own[name]?.length === 0)).toEqual([])
  })

  it('every row and every column was in the export', () => {
    const own = ownRows(before)
    const text = exported.toLowerCase()
    const missing: string[] = []
    for (const [table, rows] of Object.entries(own)) {
      if (UNSEEDED.includes(table)) continue
      for (const row of rows) {
        if (typeof row.id === 'string' && !exported.includes(row.id)) missing.push(`${table}.id`)
        for (const [column, value] of Object.entries(row)) {
          const place = `${table}.${column}`
          if (!hasCanary(value) || NOT_EXPORTED.includes(place)) continue
          const words =
            String(value)
              .toLowerCase()
              .match(new RegExp(`${CANARY}[\\w .@-]*`, 'g')) ?? []
          if (!words.every((word) => text.includes(word.trim()))) missing.push(place)
        }
      }
    }
    expect([...new Set(missing)]).toEqual([])
    expect(exported).not.toContain('other@example.com')
  })

  it('no column of any table says who it was, and no file does', async () => {
    if (database.engine === 'sqlite') expect(filesWithCanary()).not.toEqual([])
    expect
      .soft(placesIn(await dump(service.ctx.control.read, 'control')))
      .toContain('audit.details')
    const erased = await ask('POST', `/people/${uid}/erase`)
    expect(erased.status).toBe(200)
    // Sites hear by which references they know the person; that event is deleted in time.
    await env().database.write((trx) =>
      trx.deleteFrom('events').where('type', '=', 'user.erased').execute(),
    )
    await shop.work()
    service.clock.advance(61)
    const worker = startErasureWorker(env(), service.ctx.control, createLogger('silent'))
    await vi.waitFor(async () => {
      expect(await env().database.read.selectFrom('erasures').selectAll().execute()).toEqual([])
    }, 60_000)
    await worker.stop()
    const { control, environments } = service.ctx
    const { production, sandbox } = environments
    expect.soft(placesIn(await dump(sandbox.database.read, 'sandbox'))).toEqual([])
    expect.soft(placesIn(await dump(production.database.read, 'production'))).toEqual([])
    expect.soft(placesIn(await dump(control.read, 'control'))).toEqual([])
    if (database.engine === 'sqlite') expect.soft(filesWithCanary()).toEqual([])
    await service.requireInvariants()
  })

  it('what is left are amounts and times under the uid, and what others have', async () => {
    const after = ownRows(await dump(env().database.read, 'sandbox'))
    expect(after.payments).toMatchObject([{ uid }, { uid }])
    expect(after.subscriptions).toMatchObject([{ uid, status: 'ended', method: null }])
    expect(after.history?.length).toBeGreaterThan(5)
    const { data, total } = await shop.client.searchAccess({ tag: 'gift' })
    expect([data.map(({ user_ref }) => user_ref), total]).toEqual([['other'], 1])
  })
})
