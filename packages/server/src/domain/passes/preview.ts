import { sql } from 'kysely'
import type { Db } from '../../db/database.ts'
import { type Seconds, WHOLE_RID } from '../../db/tables.ts'
import { countLive } from '../access/counts/totals.ts'
import { getResource } from '../resources/resources.ts'
import { doesOpen, getOpens, type Opens, type PassKey, readOpens } from './opens.ts'

/** The resources that a change of a pass opens or closes, and to how many readers. */
export interface OpensEffect extends Opens {
  /** The number of readers who have the pass, and at least one of these resources only through it. */
  readers: number
}

export interface OpensPreview {
  /** The number of readers who have the pass now. */
  holders: number
  /** The resources that readers would gain, and how many readers would gain something. */
  gained: OpensEffect
  /** The resources that readers would lose, and how many readers would lose something. */
  lost: OpensEffect
}

/** Previews a change of what a pass opens: the resources that readers would gain and lose. */
export async function previewOpens(
  db: Db,
  key: PassKey,
  input: Opens,
  now: Seconds,
): Promise<OpensPreview> {
  await getResource(db, key.aid, key.rid)
  const opens = readOpens(key, input)
  const old = await getOpens(db, key)
  const gained = difference(opens, old)
  const lost = difference(old, opens)
  return {
    holders: await countLive(db, key, now),
    gained: { ...gained, readers: await countAffected(db, key, gained, now) },
    lost: { ...lost, readers: await countAffected(db, key, lost, now) },
  }
}

/** Returns the part of `opens` that `others` don't open. */
const difference = (opens: Opens, others: Opens): Opens => ({
  all: opens.all && !others.all,
  rids: opens.rids.filter((rid) => !doesOpen(others, rid)),
  prefixes: opens.prefixes.filter((prefix) => !doesOpen({ ...others, rids: [] }, prefix)),
})

/**
 * Counts the readers who have a pass, and for at least one of these rids and prefixes neither a record of their own nor
 * another pass. A prefix counts as one, whatever resources there are under it, because it covers future ones too.
 */
async function countAffected(
  db: Db,
  { aid, rid }: PassKey,
  { rids, prefixes, all }: Opens,
  now: Seconds,
): Promise<number> {
  const items = [
    ...rids.map((one) => sql`(cast(${one} as text), cast(${one} as text))`),
    ...[...prefixes, ...(all ? [''] : [])].map(
      (prefix) => sql`(cast(null as text), cast(${prefix} as text))`,
    ),
  ]
  if (items.length === 0) return 0
  const { rows } = await sql<{ readers: number }>`
    with items (rid, text) as (values ${sql.join(items)})
    select count(*) as readers from access h
    where h.aid = ${aid} and h.rid = ${rid} and h.revoked is null and h.ends > ${now}
      and exists (select 1 from items i where not exists (
        select 1 from access a
        where a.aid = h.aid and a.uid = h.uid and a.revoked is null and a.ends > ${now}
          and a.rid <> h.rid and (a.rid = i.rid
            or exists (select 1 from pass_entries e where e.aid = a.aid and e.pass = a.rid
              and e.size = ${WHOLE_RID} and e.value = i.rid)
            or exists (select 1 from pass_entries e where e.aid = a.aid and e.pass = a.rid
              and e.size >= 0 and e.value = substr(i.text, 1, cast(e.size as int))))))`.execute(db)
  return Number(rows[0]?.readers)
}
