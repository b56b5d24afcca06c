import type { Trx } from '../../../db/database.ts'
import { deleteRows, insertRows, updateRows } from '../../../db/queries/rows.ts'
import { recordHistory } from '../../history/history.ts'
import { enqueueMails } from '../../mail/outbox.ts'
import type { Clocks } from './input.ts'
import type { GrantPlan } from './plan.ts'

/** Writes the rows of all plans, with one statement per table for new rows. */
export async function applyPlans(
  trx: Trx,
  plans: readonly GrantPlan[],
  clocks: Clocks,
): Promise<void> {
  const added = {
    users: plans.flatMap((plan) => plan.newUser ?? []),
    refs: plans.flatMap((plan) => plan.newRefs),
    formerAddresses: plans.flatMap((plan) => plan.newFormerAddresses),
    access: plans.flatMap((plan) => plan.newAccess ?? []),
    tags: plans.flatMap((plan) => plan.tags ?? []),
    sources: plans.flatMap((plan) => plan.newSource ?? []),
    mails: plans.flatMap((plan) => plan.mail ?? []),
    changes: plans.flatMap((plan) => plan.changes),
  }
  await insertRows(trx, 'users', added.users)
  for (const { rename } of plans) if (rename) await renameUser(trx, rename)
  await insertRows(trx, 'user_refs', added.refs)
  await insertRows(trx, 'former_addresses', added.formerAddresses)
  await insertRows(trx, 'access', added.access)
  for (const { changedAccess } of plans) if (changedAccess) await updateAccess(trx, changedAccess)
  await writeTags(trx, added.tags)
  await insertRows(trx, 'sources', added.sources)
  for (const { changedSource } of plans) if (changedSource) await updateSource(trx, changedSource)
  await enqueueMails(trx, added.mails, clocks)
  await recordHistory(trx, added.changes)
}

async function renameUser(trx: Trx, user: NonNullable<GrantPlan['rename']>): Promise<void> {
  const { aid, uid, ...names } = user
  await updateRows(trx, 'users', { aid, uid }, names)
}

async function updateAccess(
  trx: Trx,
  access: NonNullable<GrantPlan['changedAccess']>,
): Promise<void> {
  const { aid, id, user_ref, ends, tags } = access
  await updateRows(trx, 'access', { aid, id }, { user_ref, ends, tags })
}

async function updateSource(
  trx: Trx,
  source: NonNullable<GrantPlan['changedSource']>,
): Promise<void> {
  const { aid, id, ends, revision, message_digest, notified } = source
  await updateRows(trx, 'sources', { aid, id }, { ends, revision, message_digest, notified })
}

async function writeTags(trx: Trx, all: readonly NonNullable<GrantPlan['tags']>[]): Promise<void> {
  for (const { aid, accessId, replace } of all) {
    if (!replace) continue
    await deleteRows(trx, 'access_tags', { aid, access_id: accessId })
  }
  await insertRows(
    trx,
    'access_tags',
    all.flatMap(({ aid, accessId, tags }) =>
      tags.map((tag) => ({ aid, tag, access_id: accessId })),
    ),
  )
}
