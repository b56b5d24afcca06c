import { sql } from 'kysely'
import { describe, expect, it } from 'vitest'
import { openPostgres } from '../../../db/postgres/postgres.ts'
import { FOREVER, type Tables } from '../../../db/tables.ts'
import { findAccess } from '../../../domain/access/details.ts'
import { accessRecord } from '../../../records/access.ts'
import { databases } from '../../../testing/databases.ts'
import { useApplication, useService } from '../../../testing/use-service.ts'
import { accessJsonLookup, parseAccessJson } from './access-lookup.ts'

const AMOUNTS = [0, 1, 10, 99, 100, 101, 1_050, 12_345, 100_000_000, 1_234_567_890]
const CURRENCIES = [null, 'EUR', 'JPY', 'KWD', 'CLF']
const TEXTS = ['plain', 'ü "quoted" \\ / \u2028 😀', "it's % :1 ?1"]

describe.each(databases)('An access as $name writes it', (database) => {
  const service = useService(database)
  const app = useApplication(service, { resources: ['news'] })

  async function requireSame(userRef: string): Promise<void> {
    const { aid, environment } = app
    const key = { aid, rid: 'news', userRef }
    const row = await findAccess(environment.database.read, key, 0, true)
    const found = await environment.database.lookUp(accessJsonLookup, [[aid, 'news', userRef, '0']])
    if (!row) throw new Error(`${userRef} has no access`)
    expect(parseAccessJson(found[0] as string)).toEqual({
      ends: row.ends,
      body: JSON.stringify(accessRecord(row)),
    })
  }

  const update = (values: { amount?: number; currency?: string | null; ends?: number }) =>
    app.environment.database.write((trx) =>
      trx.updateTable('access').set(values).where('aid', '=', app.aid).execute(),
    )

  it('is what the house shows, letter for letter, whatever was paid in whatever currency', async () => {
    await app.client.grantAccess({ rid: 'news', email: 'ann@example.com', user_ref: 'ann' })
    for (const currency of CURRENCIES) {
      for (const amount of AMOUNTS) {
        await update({ amount, currency })
        await requireSame('ann')
      }
    }
    await update({ amount: 0, currency: null })
  })

  it("is none where the row holds what can't be read", async () => {
    await app.client.grantAccess({ rid: 'news', email: 'odd@example.com', user_ref: 'odd' })
    const set = (tags: string) =>
      app.environment.database.write((trx) =>
        trx.updateTable('access').set({ tags }).where('user_ref', '=', 'odd').execute(),
      )
    await set('["half')
    const key = [app.aid, 'news', 'odd', '0']
    await expect(app.environment.database.lookUp(accessJsonLookup, [key])).rejects.toThrow()
    await set('[]')
  })

  it('is so for any text, with an end and without, with a reference and without', async () => {
    for (const [n, text] of TEXTS.entries()) {
      const person = { email: `reader${n}@example.com`, user_ref: text }
      await app.client.grantAccess({ rid: 'news', ...person, tags: 'gift,new' })
      await update({ ends: n % 2 === 0 ? FOREVER : 4_000_000_000 })
      await requireSame(text)
    }
    const { uid } = await app.client.grantAccess({ rid: 'news', email: 'no-ref@example.com' })
    await requireSame(uid)
  })
})

it('is planned a few times by PostgreSQL, and not for each lookup', async () => {
  const postgres = databases[1]
  const installation = await postgres.createMigrated()
  const url = installation.env.GATEHOUSE_DATABASE_URL as string
  // One connection, because each has its own plans.
  const database = await openPostgres<Tables>(url, 'production', 1)
  for (let n = 0; n < 20; n++) {
    await database.lookUp(accessJsonLookup, [['Some000001', 'news', `ann${n}`, '1800000000']])
  }
  const { rows } = await sql`select custom_plans, generic_plans from pg_prepared_statements
    where statement like '%ordinality%'`.execute(database.read)
  // The first lookup is not prepared yet; PostgreSQL then plans five before it decides.
  expect(rows).toEqual([{ custom_plans: 5, generic_plans: 14 }])
  await database.close()
  await installation.remove()
})
