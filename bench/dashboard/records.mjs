// Adds what a busy publisher has besides access: for each access record a payment, a subscription, a mail and a
// delivery, all of the last 90 days, so that the overview has as much to add up as possible.
import { join } from 'node:path'
import { DatabaseSync } from '@photostructure/sqlite'
import { withoutForeignKeys } from '../records/foreign-keys.mjs'

const STATEMENTS = [
  `update access set revoked = ends where ends < $now and substr(id, 9, 1) in ('0', '5')`,
  `insert into payments (id, aid, rid, uid, access_id, amount, refunded, currency, provider, status, created, settled, attempts)
    select 'pay-' || id, aid, rid, uid, id, 499, 0, 'EUR', 'test', 'succeeded', $then, $then, 1 from access`,
  `insert into refunds (id, aid, payment_id, amount, currency, status, actor, created, settled, attempts)
    select 'ref-' || id, aid, id, 499, 'EUR', 'succeeded', 'api', created + 60, created + 60, 1 from payments
    where substr(access_id, 10, 1) = '1'`,
  `update payments set refunded = amount, status = 'refunded' where substr(access_id, 10, 1) = '1'`,
  `insert into subscriptions (id, aid, rid, uid, access_id, amount, currency, period, status, created, anchor, periods, current_period_start, current_period_end, ended, tries, provider)
    select 'sub-' || id, aid, rid, uid, id, 499, 'EUR', 'month', 'ended', $then, $then, 1, $then, $then + 1, $then + 1, 0, 'test' from access`,
  `insert into deliveries (id, aid, rid, download_id, link, uid, at, answers, bytes, outcome)
    select 'del-' || id, aid, rid, 'download', 'link-' || id, uid, $then, 1, 1000, 'complete' from access`,
  `insert into outbox (id, key, aid, uid, kind, recipient, payload, status, attempts, created, due, last_error, sent)
    select 'mail-' || a.id, a.id, a.aid, a.uid, 'grant', u.email, '{}',
      case substr(a.id, 8, 2) when '10' then 'dead' else 'sent' end, 1, $then * 1000, $then * 1000,
      case substr(a.id, 8, 2) when '10' then '550 no such person' end, $then * 1000
    from access a join users u on u.aid = a.aid and u.uid = a.uid`,
]

const TABLES = ['access', 'payments', 'refunds', 'subscriptions', 'deliveries', 'outbox']

export async function addRecords({ folder, name, records, server }) {
  const now = Math.floor(Date.now() / 1000)
  // The time follows from the number of the record, which is part of its id.
  const then = `(${now} - cast(substr(a.id, 2, 9) as bigint) * ${90 * 86_400} / ${records})`
  const statements = STATEMENTS.map((statement) => {
    const own = /from access\b(?! a)/.test(statement) ? then.replaceAll('a.id', 'id') : then
    return statement.replaceAll('$then', own).replaceAll('$now', String(now))
  })
  if (server) {
    const ask = (sql) => server.ask(sql, name, 'production')
    await withoutForeignKeys(ask, TABLES, async () => {
      for (const statement of statements) await ask(statement)
    })
    // PostgreSQL does this by itself after a while. SQLite has no statistics, because Gatehouse makes none.
    await ask('vacuum analyze')
    return
  }
  const database = new DatabaseSync(join(folder, 'production.sqlite'))
  for (const statement of statements) database.exec(statement)
  database.close()
}
