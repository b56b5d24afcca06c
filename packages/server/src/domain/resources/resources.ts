import type { Db, Trx } from '../../db/database.ts'
import { findRow, insertIfAbsent, listRows } from '../../db/queries/rows.ts'
import type { ResourceTable, Seconds } from '../../db/tables.ts'
import { fail, requireFound } from '../../errors.ts'
import { recordHistory } from '../history/history.ts'

export type ResourceRow = ResourceTable

interface NewResource {
  aid: string
  rid: string
  name: string
  url?: string
  description?: string
  image?: string
}

export async function createResource(
  trx: Trx,
  input: NewResource,
  now: Seconds,
  actor: string,
): Promise<ResourceRow> {
  const row = await createResourceIfAbsent(trx, input, now, actor)
  if (!row) throw fail('resource_exists')
  return row
}

/** Returns undefined if there is a resource with this rid, also one that another transaction has just created. */
export async function createResourceIfAbsent(
  trx: Trx,
  input: NewResource,
  now: Seconds,
  actor: string,
): Promise<ResourceRow | undefined> {
  const { aid, rid, name, url = '', description = '', image = '' } = input
  const row = {
    ...{ aid, rid, name, url, created: now, description, image },
    ...{ image_id: null, archived: null },
  }
  if (!(await insertIfAbsent(trx, 'resources', row, ['aid', 'rid']))) return undefined
  await recordHistory(trx, [
    { aid, rid, at: now, actor, action: 'resource created', after: { name, url } },
  ])
  return row
}

export async function getResource(db: Db, aid: string, rid: string): Promise<ResourceRow> {
  return requireFound(await findRow(db, 'resources', { aid, rid }), 'resource_not_found')
}

/** Maps the rids of resources to their names. Unknown ones are missing. */
export async function findResourceNames(
  db: Db,
  aid: string,
  rids: readonly string[],
): Promise<ReadonlyMap<string, string>> {
  const found = await findResources(db, aid, [...new Set(rids)])
  return new Map(found.map(({ rid, name }) => [rid, name]))
}

export async function findResources(
  db: Db,
  aid: string,
  rids: readonly string[],
): Promise<ResourceRow[]> {
  return await listRows(db, 'resources', { aid, rid: rids })
}

export async function listResources(db: Db, aid: string): Promise<ResourceRow[]> {
  return await db
    .selectFrom('resources')
    .selectAll()
    .where('aid', '=', aid)
    .orderBy('created', 'desc')
    .orderBy('rid')
    .execute()
}

/** Whether there is a resource that is not archived. */
export async function hasResource(db: Db, aid: string): Promise<boolean> {
  const resource = db.selectFrom('resources').select('rid').where('aid', '=', aid)
  return (await resource.where('archived', 'is', null).limit(1).execute()).length > 0
}
