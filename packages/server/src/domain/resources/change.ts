import type { Trx } from '../../db/database.ts'
import { findAndLockRow, updateRows } from '../../db/queries/rows.ts'
import type { Seconds } from '../../db/tables.ts'
import { fail } from '../../errors.ts'
import { recordHistory } from '../history/history.ts'
import type { ResourceRow } from './resources.ts'

interface ResourceKey {
  aid: string
  rid: string
}

/** The fields of a resource that can change. The rid can't, because applications and links refer to it. */
type ResourceChange = Partial<Pick<ResourceRow, 'name' | 'url' | 'description' | 'image'>>

export async function changeResource(
  trx: Trx,
  key: ResourceKey,
  change: ResourceChange,
  now: Seconds,
  actor: string,
): Promise<ResourceRow> {
  const old = await lockResource(trx, key)
  const names = Object.keys(change) as (keyof ResourceChange)[]
  const changed = names.filter((name) => change[name] !== old[name])
  if (changed.length === 0) return old
  const of = (from: ResourceChange) =>
    Object.fromEntries(changed.map((name) => [name, from[name]])) as ResourceChange
  await update(trx, key, of(change))
  await recordHistory(trx, [
    { ...key, at: now, actor, action: 'resource changed', before: of(old), after: of(change) },
  ])
  return { ...old, ...of(change) }
}

/** While archived, a resource can't be sold or granted. Existing access, renewals, prices and files stay, so that
 * restoring it brings everything back. */
export async function archiveResource(
  trx: Trx,
  key: ResourceKey,
  isArchived: boolean,
  now: Seconds,
  actor: string,
): Promise<ResourceRow> {
  const old = await lockResource(trx, key)
  if ((old.archived !== null) === isArchived) return old
  const archived = isArchived ? now : null
  await update(trx, key, { archived })
  const action = isArchived ? 'resource archived' : 'resource restored'
  await recordHistory(trx, [{ ...key, at: now, actor, action }])
  return { ...old, archived }
}

async function lockResource(trx: Trx, { aid, rid }: ResourceKey): Promise<ResourceRow> {
  const row = await findAndLockRow(trx, 'resources', { aid, rid })
  if (!row) throw fail('resource_not_found')
  return row
}

async function update(
  trx: Trx,
  { aid, rid }: ResourceKey,
  change: Partial<ResourceRow>,
): Promise<void> {
  await updateRows(trx, 'resources', { aid, rid }, change)
}
