import type { Trx } from '../../db/database.ts'
import { findAndLockRow, updateRows } from '../../db/queries/rows.ts'
import { requireFound } from '../../errors.ts'
import type { Actor } from '../downloads/downloads.ts'
import { recordHistory } from '../history/history.ts'
import { dropImageIfUnused, type NewImage } from './images.ts'

/** The record that an image is shown for: an application, a resource or a download. */
export type ImageOwner =
  | { kind: 'application'; aid: string }
  | { kind: 'resource'; aid: string; rid: string }
  | { kind: 'download'; aid: string; id: string }

/** Shows an image, or none, instead of the one before. Images that nothing shows anymore are removed. */
export async function setImage(
  trx: Trx,
  owner: ImageOwner,
  image: NewImage | undefined,
  { now, realTime, actor }: Actor,
): Promise<void> {
  const { aid } = owner
  const { before, about } = await lockOwner(trx, owner)
  const after = image?.id ?? null
  if (before === after) return
  await image?.attach(trx, now)
  await update(trx, owner, after)
  if (before !== null) await dropImageIfUnused(trx, { aid, id: before }, realTime)
  const action = `${owner.kind} image ${after === null ? 'removed' : 'changed'}` as const
  await recordHistory(trx, [
    { aid, at: now, actor, action, ...about, before: { image: before }, after: { image: after } },
  ])
}

async function lockOwner(
  trx: Trx,
  owner: ImageOwner,
): Promise<{ before: string | null; about: { rid?: string } }> {
  const { aid } = owner
  if (owner.kind === 'application') {
    const row = requireFound(
      await findAndLockRow(trx, 'applications', { aid }),
      'application_not_found',
    )
    return { before: row.logo_id, about: {} }
  }
  if (owner.kind === 'resource') {
    const row = requireFound(
      await findAndLockRow(trx, 'resources', { aid, rid: owner.rid }),
      'resource_not_found',
    )
    return { before: row.image_id, about: { rid: row.rid } }
  }
  const row = requireFound(
    await findAndLockRow(trx, 'downloads', { aid, id: owner.id }),
    'download_not_found',
  )
  return { before: row.image_id, about: { rid: row.rid } }
}

async function update(trx: Trx, owner: ImageOwner, id: string | null): Promise<void> {
  const { aid } = owner
  if (owner.kind === 'application') {
    await updateRows(trx, 'applications', { aid }, { logo_id: id })
  } else if (owner.kind === 'resource') {
    await updateRows(trx, 'resources', { aid, rid: owner.rid }, { image_id: id })
  } else await updateRows(trx, 'downloads', { aid, id: owner.id }, { image_id: id })
}
