import { sql } from 'kysely'
import type { Trx } from '../../db/database.ts'
import type { AnyTables } from '../backup/databases.ts'

/** An index or a foreign key: the statements that drop and restore it. */
interface DroppableConstraint {
  drop_sql: string
  restore_sql: string
}

/** Foreign keys come first, because they depend on the indexes. */
async function listDroppable(trx: Trx<AnyTables>, schema: string): Promise<DroppableConstraint[]> {
  const { rows } = await sql<DroppableConstraint>`
    select format('alter table %s drop constraint %I', c.conrelid::regclass, c.conname) as drop_sql,
      format('alter table %s add constraint %I %s', c.conrelid::regclass, c.conname,
        pg_get_constraintdef(c.oid)) as restore_sql
    from pg_constraint c join pg_namespace n on n.oid = c.connamespace
    where n.nspname = ${schema} and c.contype = 'f' and c.conparentid = 0
    union all
    select format('drop index %s', i.indexrelid::regclass), pg_get_indexdef(i.indexrelid)
    from pg_index i join pg_class r on r.oid = i.indexrelid
      join pg_namespace n on n.oid = r.relnamespace
    where n.nspname = ${schema} and not r.relispartition
      and not exists (select 1 from pg_constraint c where c.conindid = i.indexrelid)`.execute(trx)
  return rows
}

/** Fills tables without their indexes and foreign keys, and builds those once all rows are there, which takes a
 * fraction of the time. Nobody else sees the tables in this state, because it all happens in one transaction. */
export async function withoutIndexes(
  trx: Trx<AnyTables>,
  schema: string,
  fill: () => Promise<void>,
): Promise<void> {
  const run = (statement: string) => sql.raw(statement).execute(trx)
  const droppable = await listDroppable(trx, schema)
  for (const { drop_sql } of droppable) await run(drop_sql)
  await fill()
  // Building an index sorts its rows, in memory as far as this allows.
  await run(`set local maintenance_work_mem = '256MB'`)
  for (const { restore_sql } of droppable.reverse()) await run(restore_sql)
}
