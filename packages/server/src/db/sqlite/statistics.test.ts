import { DatabaseSync } from '@photostructure/sqlite'
import { describe, expect, it } from 'vitest'
import { decide } from '../../domain/decision/decide.ts'
import { listHistory } from '../../domain/history/history.ts'
import { searchMails } from '../../domain/mail/search.ts'
import { searchPayments } from '../../domain/payments/payments.ts'
import { readPersonPage } from '../../domain/people/page.ts'
import { searchUsers } from '../../domain/users/find.ts'
import { findUidByRef } from '../../domain/users/user-ref.ts'
import { databases } from '../../testing/databases.ts'
import { openShop, type Shop } from '../../testing/payments/shop.ts'
import { plansOf } from '../../testing/query-plans.ts'
import { fileIn, useDatabaseFolder } from '../../testing/sqlite/database-folder.ts'
import { useFreshService } from '../../testing/use-service.ts'
import type { Db, Trx } from '../database.ts'
import { recreate } from '../migrate.ts'
import { environmentMigrations } from '../migrations.ts'

let folder: string
const { open } = useDatabaseFolder((path) => {
  folder = path
})

const WINDOW = { offset: 0, limit: 50 }

/** A step of a plan that reads all rows of an application, in a table that grows with its readers. */
function broadSteps(plans: readonly string[]): string[] {
  const steps = plans.flatMap((plan) => plan.split('\n'))
  const isBroad = (step: string) =>
    /^SCAN \w+ USING|USING (COVERING )?INDEX \w+ \(aid=\?\)|PRIMARY KEY \(aid=\?\)/.test(step)
  return steps.filter((step) => isBroad(step) && !/applications|resources|prices|pass_/.test(step))
}

describe('What SQLite is told about the data', () => {
  const service = useFreshService(databases[0])

  async function sellAndRefund(): Promise<Shop> {
    const shop = await openShop(service)
    await shop.addResource('news')
    const vouchedEmail = 'ann@example.com'
    await shop.buy({
      rid: 'news',
      userRef: 'ann',
      vouchedEmail,
      terms: { period: null },
      card: 'good',
    })
    const { data } = await shop.client.searchPayments({ user_ref: 'ann' })
    await shop.client.refundPayment({ payment: data[0]?.id as string })
    return shop
  }

  it('makes it find what is about one reader without reading all of an application', async () => {
    const { aid, environment } = await sellAndRefund()
    const { database, clock } = environment
    const now = clock()
    const uid = (await findUidByRef(database.read, aid, 'ann')) as string
    const asks: Record<string, (db: Db) => Promise<unknown>> = {
      check: (db) => decide(db, { aid, userRef: 'ann', rids: ['news'] }, now),
      history: (db) => listHistory(db, aid, { uid }),
      page: (db) => readPersonPage(db, aid, uid, now),
      people: (db) => searchUsers(db, { aid, q: 'nobody' }, WINDOW),
      payments: (db) => searchPayments(db, { aid, text: 'nobody' }, WINDOW),
      mails: (db) => searchMails(db, { aid, text: 'nobody' }, WINDOW),
    }
    for (const [name, ask] of Object.entries(asks)) {
      expect(broadSteps(await plansOf('sqlite', database.read, ask)), name).toEqual([])
    }
  })

  /** The indexes, and how many of them SQLite has figures about. */
  function countFigures() {
    const file = new DatabaseSync(fileIn(folder))
    const count = (sql: string) => (file.prepare(sql).get() as { n: number }).n
    const ours = "name not like 'sqlite^_%' escape '^'"
    const indexes = count(`select count(*) as n from sqlite_schema t, pragma_index_list(t.name) l
      where t.type = 'table' and t.${ours}`)
    const told = count("select count(*) as n from sqlite_stat1 where stat like '% noskipscan'")
    file.close()
    return { indexes, told }
  }

  it('is written to a file that has none, for every index', async () => {
    await (await open()).close()
    const file = new DatabaseSync(fileIn(folder))
    file.exec('drop table sqlite_stat1')
    file.close()
    await (await open()).close()
    const { indexes, told } = countFigures()
    expect(indexes).toBeGreaterThan(100)
    expect(told).toBe(indexes)
  })

  it('is there after all tables were created again, as by a restore', async () => {
    const database = await open()
    const run = (trx: Trx) => recreate(trx, 'sqlite', 'production', environmentMigrations)
    await database.write(run, { batch: true, replacesTables: true })
    await database.close()
    const { indexes, told } = countFigures()
    expect(told).toBe(indexes)
  })
})
