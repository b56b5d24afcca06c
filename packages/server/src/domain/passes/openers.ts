import { sql } from 'kysely'
import type { Db } from '../../db/database.ts'
import { textRows } from '../../db/queries/text-rows.ts'
import { WHOLE_RID } from '../../db/tables.ts'
import { pushTo } from '../../push-to.ts'

/** Maps resources to the rids of all passes that open them, whoever has those, in the order of the rid. Resources that no
 * pass opens are missing. */
export async function listPassesThatOpen(
  db: Db,
  aid: string,
  rids: readonly string[],
): Promise<ReadonlyMap<string, readonly string[]>> {
  if (rids.length === 0) return new Map()
  // The lengths of prefixes in use are found by skipping from one to the next, as in `LEAPS_SQL`.
  const { rows } = await sql<{ rid: string; pass: string }>`
    with recursive asked (rid) as (select key from ${textRows(rids)}),
    sizes (size) as (
      select min(e.size) from pass_entries e where e.aid = ${aid}
      union all
      select (select min(e.size) from pass_entries e where e.aid = ${aid} and e.size > s.size)
      from sizes s where s.size is not null
    )
    select distinct k.rid, e.pass from sizes s cross join asked k cross join pass_entries e
    where e.aid = ${aid} and e.size = s.size and s.size <= length(k.rid) and e.pass <> k.rid
      and e.value = case s.size when ${WHOLE_RID} then k.rid
        else substr(k.rid, 1, cast(s.size as int)) end
    order by e.pass`.execute(db)
  const passes = new Map<string, string[]>()
  for (const { rid, pass } of rows) pushTo(passes, rid, pass)
  return passes
}
