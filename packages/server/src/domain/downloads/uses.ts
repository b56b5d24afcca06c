import type { Db, Trx } from '../../db/database.ts'
import { insertIfAbsent } from '../../db/queries/rows.ts'
import type { Seconds } from '../../db/tables.ts'
import { fail } from '../../errors.ts'
import type { DownloadLink } from '../../signing/download-links.ts'

/** Everything fetched through a link within this time counts as one use, because downloads are resumed and
 * fetched in parts over several connections. */
const USE_COVERS: Seconds = 86_400

async function findLastUse(db: Db, { aid, id }: DownloadLink) {
  return await db
    .selectFrom('download_uses')
    .select(['number', 'opened'])
    .where((eb) => eb.and({ aid, link: id }))
    .orderBy('number', 'desc')
    .limit(1)
    .executeTakeFirst()
}

const covers = (use: { opened: Seconds } | undefined, now: Seconds) =>
  use !== undefined && now < use.opened + USE_COVERS

/** Whether a request now belongs to a use that is already counted. */
export async function isUseCounted(db: Db, link: DownloadLink, now: Seconds): Promise<boolean> {
  return covers(await findLastUse(db, link), now)
}

/** Counts a use of a limited link, unless one is open. Throws when all are used up. */
export async function countUse(
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
    if (await insertIfAbsent(trx, 'download_uses', use, ['aid', 'link', 'number'])) return
    // A concurrent request opened this use first; it covers this one too.
  }
}
