import type { Trx } from '../db/database.ts'
import type { Seconds } from '../db/tables.ts'
import { fail } from '../errors.ts'
import type { DownloadLink } from '../signing/download-links.ts'

/** Whatever is fetched by a link within this time is one use: a download is resumed, and fetched in
 * parts, by several connections. */
const USE_COVERS: Seconds = 86_400

/** Counts a use of a limited link, unless one is open already. Throws when all are used up. */
export async function openUse(
  trx: Trx,
  { id, aid, expires }: DownloadLink,
  limit: number,
  now: Seconds,
): Promise<void> {
  for (;;) {
    const last = await trx
      .selectFrom('download_uses')
      .select(['number', 'opened'])
      .where('link', '=', id)
      .orderBy('number', 'desc')
      .limit(1)
      .executeTakeFirst()
    if (last && now < last.opened + USE_COVERS) return
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
