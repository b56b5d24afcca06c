import type { Trx } from '../../db/database.ts'
import { findAndLockRow, updateRows } from '../../db/queries/rows.ts'
import type { Seconds } from '../../db/tables.ts'
import { requireFound } from '../../errors.ts'
import { changedFields } from '../history/changed-fields.ts'
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
  const changed = changedFields<ResourceRow>(old, change)
  if (!changed) return old
  await updateRows(trx, 'resources', keyOf(key), changed.after)
  await recordHistory(trx, [{ ...key, at: now, actor, action: 'resource changed', ...changed }])
  return { ...old, ...changed.after }
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
  await updateRows(trx, 'resources', keyOf(key), { archived })
  const action = isArchived ? 'resource archived' : 'resource restored'
  await recordHistory(trx, [{ ...key, at: now, actor, action }])
  return { ...old, archived }
}

async function lockResource(trx: Trx, key: ResourceKey): Promise<ResourceRow> {
  return requireFound(await findAndLockRow(trx, 'resources', keyOf(key)), 'resource_not_found')
}

const keyOf = ({ aid, rid }: ResourceKey) => ({ aid, rid })
