import type { Db, Trx } from '../db/database.ts'
import type { Seconds } from '../db/tables.ts'
import { fail } from '../errors.ts'
import type { DownloadLink } from '../signing/download-links.ts'

/** How many uses a link may allow. */
export const MOST_USES = 1_000_000

/** Whatever is fetched by a link within this time is one use: a download is resumed, and fetched in
 * parts, by several connections. */
const USE_COVERS: Seconds = 86_400

async function findLastUse(db: Db, { id }: DownloadLink) {
  return await db
    .selectFrom('download_uses')
    .select(['number', 'opened'])
    .where('link', '=', id)
    .orderBy('number', 'desc')
    .limit(1)
    .executeTakeFirst()
}

const covers = (use: { opened: Seconds } | undefined, now: Seconds) =>
  use !== undefined && now < use.opened + USE_COVERS

/** Whether what is fetched now is part of a use that was counted. */
export async function isUseOpen(db: Db, link: DownloadLink, now: Seconds): Promise<boolean> {
  return covers(await findLastUse(db, link), now)
}

/** Counts a use of a limited link, unless one is open already. Throws when all are used up. */
export async function openUse(
  trx: Trx,
  link: DownloadLink,
  limit: number,
  now: Seconds,
): Promise<void> {
  const { id, aid, expires } = link
  for (;;) {
    const last = await findLastUse(trx, link)
    if (covers(last, now)) return
    const number = (last?.number ?? 0) + 1
    if (number > limit) throw fail('link_used')
    const use = { link: id, number, most: limit, aid, opened: now, ends: expires }
    const opened = await trx
      .insertInto('download_uses')
      .values(use)
      .onConflict((oc) => oc.columns(['link', 'number']).doNothing())
      .returning('number')
      .execute()
    if (opened.length > 0) return
    // Another request was first; what it opened covers this one too.
  }
}
