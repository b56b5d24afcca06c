import { beforeAll, describe, expect, it } from 'vitest'
import { sortsOf } from '../../db/queries/sort.ts'
import { databases } from '../../testing/databases.ts'
import { DAY } from '../../testing/time.ts'
import { useApplication, useService } from '../../testing/use-service.ts'
import type { AccessRow } from './details.ts'
import {
  ACCESS_COLUMNS,
  ENDING_SOON_S,
  listAccessForStaff,
  type StaffFilter,
} from './list-for-staff.ts'

const RIDS = ['maps', 'news', 'plans']
const ALL = { offset: 0, limit: 1_000 }

describe.each(databases)('the list of access for staff on $name', (database) => {
  const service = useService(database)
  const app = useApplication(service, { resources: RIDS })
  /** Every record of the application. */
  let records: readonly AccessRow[]

  const db = () => app.environment.database
  const now = () => service.clock.seconds
  const list = (filter: Partial<StaffFilter>, window = ALL) =>
    listAccessForStaff(db().read, { aid: app.aid, state: 'any', ...filter }, window, now())

  beforeAll(async () => {
    for (let i = 0; i < 12; i++) {
      const name = `p${i % 4}`
      const rid = RIDS[i % 3] as string
      const ends = [undefined, now() + DAY, now() + 5 * DAY, now() + 20 * DAY][i % 5]
      await app.client.grantAccess({
        ...{ rid, user_ref: `ref-${name}`, email: `${name}@example.com` },
        ...(ends === undefined ? {} : { expiration: ends }),
        ...(i % 2 === 0 ? { tags: 'gift' } : {}),
      })
      service.clock.advance(100)
      if (i % 4 === 1) await app.client.revokeAccess({ rid, user_ref: `ref-${name}` })
    }
    service.clock.advance(2 * DAY)
    await app.client.grantAccess({ rid: 'news', user_ref: 'ref-p1', email: 'p1@example.com' })
    records = (await list({})).rows
    expect(records).toHaveLength(13)
  })

  const shownEnd = ({ revoked, ends }: AccessRow) => revoked ?? ends
  const isExpired = ({ revoked, ends }: AccessRow) => revoked === null && ends <= now()
  const isLive = ({ revoked, ends }: AccessRow) => revoked === null && ends > now()
  const isIn: Record<StaffFilter['state'], (row: AccessRow) => boolean> = {
    any: () => true,
    live: isLive,
    expired: isExpired,
    unrevoked: ({ revoked }) => revoked === null,
    revoked: ({ revoked }) => revoked !== null,
    ending: (row) => isLive(row) && row.ends <= now() + ENDING_SOON_S,
    // Nothing is renewed here.
    renewing: () => false,
  }
  const STATES = Object.keys(isIn) as StaffFilter['state'][]
  const SORTS = [undefined, ...sortsOf(ACCESS_COLUMNS)]

  /** Some filters, each with what it means for a row. `when` is the time that `from` and `to` are compared with. */
  function filters(): [Partial<StaffFilter>, (row: AccessRow, when: number) => boolean][] {
    const { uid, id } = records.find(({ email }) => email === 'p2@example.com') as AccessRow
    const isP2 = (row: AccessRow) => row.uid === uid
    const hasTag = ({ tags }: AccessRow) => tags.includes('gift')
    const times = records.map(({ created }) => created).sort()
    const [from = 0, to = 0] = [times[2], times[10]]
    return [
      [{}, () => true],
      [{ rid: 'news' }, ({ rid }) => rid === 'news'],
      [{ tag: 'gift' }, hasTag],
      [{ rid: 'news', tag: 'gift' }, (row) => row.rid === 'news' && hasTag(row)],
      [{ email: 'P2@example.com' }, isP2],
      [{ userRef: 'ref-p2' }, isP2],
      [{ userRef: 'ref-p2', email: 'p1@example.com' }, () => false],
      [{ uid }, isP2],
      [{ uid, rid: 'maps' }, (row) => isP2(row) && row.rid === 'maps'],
      [{ q: 'p2@' }, isP2],
      [{ q: 'ref-p2' }, isP2],
      [{ q: 'ne' }, ({ rid }) => rid === 'news'],
      [{ q: id.slice(0, -1) }, (row) => row.id.startsWith(id.slice(0, -1))],
      [{ q: 'nothing' }, () => false],
      [{ q: 'ne', tag: 'gift' }, (row) => row.rid === 'news' && hasTag(row)],
      [{ from }, (_, when) => when >= from],
      [{ to }, (_, when) => when < to],
      [{ from, to, rid: 'maps' }, ({ rid }, when) => when >= from && when < to && rid === 'maps'],
    ]
  }

  it.each(STATES)('has those that are %s, as a plain search finds them', async (state) => {
    for (const [filter, isMeant] of filters()) {
      const when = (row: AccessRow) => (state === 'revoked' ? Number(row.revoked) : row.created)
      const expected = records.filter((row) => isIn[state](row) && isMeant(row, when(row)))
      for (const sort of [undefined, '-ends', 'name'] as const) {
        const { rows, total, isCut } = await list({ ...filter, state, sort })
        const what = `${JSON.stringify(filter)} by ${sort}`
        const ids = (found: readonly AccessRow[]) => found.map(({ id }) => id).sort()
        expect([what, ids(rows), total, isCut]).toEqual([
          ...[what, ids(expected), expected.length, false],
        ])
      }
    }
  })

  it.each(STATES)('has those that are %s in the order that is asked for', async (state) => {
    const isBySoonest = state === 'ending' || state === 'renewing'
    const usual = isBySoonest ? 'ends' : state === 'revoked' ? '-ends' : '-created'
    for (const sort of SORTS) {
      const { rows } = await list({ state, sort })
      const by = sort ?? usual
      const keys = rows.map((row) => {
        if (by.endsWith('name')) return row.email as string
        return by.endsWith('ends') ? shownEnd(row) : row.created
      })
      const sorted = keys.toSorted((a, b) => (a < b ? -1 : a > b ? 1 : 0))
      expect([by, keys]).toEqual([by, by.startsWith('-') ? sorted.reverse() : sorted])
      for (const offset of [0, 2, rows.length - 1, rows.length]) {
        const page = await list({ state, sort }, { offset: Math.max(offset, 0), limit: 3 })
        expect(page.rows).toEqual(rows.slice(Math.max(offset, 0)).slice(0, 3))
        expect(page.total).toBe(rows.length)
      }
    }
  })
})
