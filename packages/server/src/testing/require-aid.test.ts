import { expect, it } from 'vitest'
import { tablesWithoutAid } from './require-aid.ts'

const TABLES = new Set(['access', 'payments', 'refunds'])

it.each([
  ['select * from access where id = ?', ['access']],
  ['select * from "access" as "a" where "a"."id" = ?', ['access']],
  ['update payments set due = ? where id = ?', ['payments']],
  ['delete from refunds', ['refunds']],
  ['select * from refunds r join payments p on p.id = r.payment_id where r.aid = ?', ['payments']],
  [
    'select 1 from refunds where exists (select 1 from payments p where p.id = 1)',
    ['refunds', 'payments'],
  ],
  ['select aid from access order by aid', ['access']],
])('the statement %s forgets the application', (statement, tables) => {
  expect(tablesWithoutAid(statement, TABLES)).toEqual(tables)
})

it.each([
  'select * from access where aid = ? and id = ?',
  'select * from "access" as "a" where "a"."aid" = ?',
  'select * from refunds r join payments p on p.aid = r.aid and p.id = r.payment_id where r.aid = ?',
  'insert into payments (id) values (?)',
  'select aid from applications where archived is null',
])('the statement %s names it', (statement) => {
  expect(tablesWithoutAid(statement, TABLES)).toEqual([])
})
