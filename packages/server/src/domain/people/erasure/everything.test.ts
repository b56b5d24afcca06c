import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { sql } from 'kysely'
import { beforeAll, describe, expect, it, vi } from 'vitest'
import { createLogger } from '../../../logging/logger.ts'
import { inProcessCli } from '../../../testing/cli.ts'
import { databases } from '../../../testing/databases.ts'
import {
  CANARY,
  type Dump,
  dump,
  EMAIL,
  hasCanary,
  placesIn,
  REF,
  type Row,
  tablesIn,
} from '../../../testing/erasure/canary.ts'
import { withPersonal } from '../../../testing/erasure/personal-data-page.ts'
import { seedPerson } from '../../../testing/erasure/seed-person.ts'
import { useOwner, usePageShop, useService } from '../../../testing/use-service.ts'
import { startErasureWorker } from '../../../worker/erasure-worker.ts'
import { foldCounts } from '../../access/counts/counting.ts'
import { DERIVED_TABLES } from '../../backup/tables.ts'

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
  let uid: string
  /** The environment's rows before the erasure. */
  let before: Dump
  let exported: string

  const env = () => shop.environment
  const ask = (method: string, path: string, body?: unknown) =>
    owner.call(method, `/sandbox/${shop.aid}${path}`, body)

  const service = useService(database)
  const owner = useOwner(service)
  const shop = usePageShop(service)
  beforeAll(async () => {
    const cli = inProcessCli({ ...service.installation.env, GATEHOUSE_BASE_URL: service.url })
    uid = await seedPerson({ service, shop, owner, cli })
    // Some tags are counted already, others not yet.
    await foldCounts(env().database, env().clock())
    const tags = `${CANARY} late tag,gift`
    await shop.client.grantAccess({ rid: 'news', email: EMAIL, user_ref: REF, tags })
    before = await fillUp()
    exported = (await ask('GET', `/people/${uid}/export`)).text
  })

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

  it('was about a person who is in no table but those that the documentation names', () => {
    const tables = [...new Set(placesIn(before).map((place) => place.split('.')[0] as string))]
    expect(tables.length).toBeGreaterThan(10)
    expect(tables.filter((name) => !withPersonal.includes(name))).toEqual([])
  })

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
    // Sites hear by which references they know the person. In time that event is deleted, after all that came before it;
    // only its text is removed here, so that those others are still looked at.
    await env().database.write((trx) =>
      trx.updateTable('events').set({ body: '{}' }).where('type', '=', 'user.erased').execute(),
    )
    await shop.work()
    service.clock.advance(61)
    const scrub = vi.spyOn(env().database, 'scrub')
    const worker = startErasureWorker(env(), service.ctx.control, createLogger('silent'))
    await vi.waitFor(async () => {
      expect(await env().database.read.selectFrom('erasures').selectAll().execute()).toEqual([])
    }, 60_000)
    await worker.stop()
    const scrubbed = scrub.mock.calls.flatMap(([tables]) => tables as readonly string[])
    const tables = placesIn(before).map((place) => place.split('.')[0] as string)
    expect.soft(tables.filter((table) => !scrubbed.includes(table))).toEqual([])
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
