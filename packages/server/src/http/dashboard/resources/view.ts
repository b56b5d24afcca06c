import type { Environment } from '../../../context.ts'
import type { Db } from '../../../db/database.ts'
import { countLive } from '../../../domain/access/counts/totals.ts'
import { type DownloadRow, listDownloads } from '../../../domain/downloads/downloads.ts'
import { listPassesThatOpen } from '../../../domain/passes/openers.ts'
import { getOpens } from '../../../domain/passes/opens.ts'
import { listPrices } from '../../../domain/resources/prices.ts'
import { findResourceNames, type ResourceRow } from '../../../domain/resources/resources.ts'
import { priceItem } from '../../../records/price.ts'
import { resourceItem } from '../../../records/resource.ts'
import type { ResourceDetails, ResourceFile, ResourceItem } from './schemas.ts'

/** Maps the rids of rows to the names of the resources. */
export const resourceNamesOf = (db: Db, aid: string, rows: readonly { rid: string }[]) =>
  findResourceNames(
    db,
    aid,
    rows.map(({ rid }) => rid),
  )

const showFile = ({ id, title, file_name, size, published }: DownloadRow): ResourceFile => ({
  id,
  title,
  file_name,
  size,
  published: published !== null,
})

const byPosition = (a: DownloadRow, b: DownloadRow) =>
  a.position - b.position || (a.id < b.id ? -1 : 1)

/** Converts resources for the API, adding their prices, files and number of live access records. */
export async function toResourceItems(
  db: Db,
  env: Environment,
  aid: string,
  rows: readonly ResourceRow[],
): Promise<ResourceItem[]> {
  const prices = await listPrices(db, aid)
  const files = (await listDownloads(db, aid)).sort(byPosition)
  const shown: ResourceItem[] = []
  for (const row of rows) {
    const { rid } = row
    shown.push({
      ...resourceItem(env, row),
      live: await countLive(db, { aid, rid }, env.clock()),
      prices: prices.filter((one) => one.rid === rid && one.archived === null).map(priceItem),
      files: files.filter((one) => one.rid === rid).map(showFile),
    })
  }
  return shown
}

async function listOpeners(db: Db, aid: string, rid: string) {
  const rids = (await listPassesThatOpen(db, aid, [rid])).get(rid) ?? []
  const names = await findResourceNames(db, aid, rids)
  return rids.map((one) => ({ rid: one, name: names.get(one) ?? one }))
}

export async function showDetails(
  db: Db,
  env: Environment,
  row: ResourceRow,
): Promise<ResourceDetails> {
  const { aid, rid } = row
  const [shown] = (await toResourceItems(db, env, aid, [row])) as [ResourceItem]
  return {
    ...shown,
    opens: await getOpens(db, { aid, rid }),
    opened_by: await listOpeners(db, aid, rid),
    all_prices: (await listPrices(db, aid, rid)).map(priceItem),
    checkout_url: `${env.address()}/checkout/${aid}/${encodeURIComponent(rid)}`,
  }
}
