import { sql } from 'kysely'
import type { ImageContext } from './images.ts'
import { dropImageIfUnused } from './images.ts'

/** Removes images that nothing shows anymore, for example because their download was removed. Returns how many. */
export async function sweepImages(ctx: ImageContext): Promise<number> {
  const { rows } = await sql<{ aid: string; id: string }>`
    select i.aid, i.id from images i
    where not exists (select 1 from applications a where a.aid = i.aid and a.logo_id = i.id)
      and not exists (select 1 from resources r where r.aid = i.aid and r.image_id = i.id)
      and not exists (select 1 from downloads d where d.aid = i.aid and d.image_id = i.id)
  `.execute(ctx.database.read)
  for (const image of rows) {
    await ctx.database.write((trx) => dropImageIfUnused(trx, image, ctx.realTime()))
  }
  return rows.length
}
