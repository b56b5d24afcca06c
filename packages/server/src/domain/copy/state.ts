import type { Db } from '../../db/database.ts'
import type { ApplicationTable } from '../../db/tables.ts'
import { getApplication } from '../apps/applications.ts'
import { readLegalLinks } from '../brand/brand.ts'
import { type DownloadRow, listDownloadsOf, selectDownloads } from '../downloads/downloads.ts'
import { readTemplates } from '../mail/template-kinds.ts'
import { getOpens, listOpens, OPENS_NOTHING, type Opens } from '../passes/opens.ts'
import { listPrices, type PriceRow, type Terms } from '../resources/prices.ts'
import { findResources, listResources, type ResourceRow } from '../resources/resources.ts'

/** A resource with everything that is copied with it. */
export interface ResourceState {
  row: ResourceRow
  /** Archived ones too, oldest first. */
  prices: readonly PriceRow[]
  /** In the order that readers see. */
  files: readonly DownloadRow[]
  /** The resources that it opens, if it is a pass. */
  opens: Opens
}

/** Everything of an application that can be copied. */
export interface AppState {
  app: ApplicationTable
  /** Oldest first. */
  resources: readonly ResourceState[]
}

export async function readAppState(db: Db, aid: string): Promise<AppState> {
  const app = await getApplication(db, aid)
  const prices = groupByRid(await listPrices(db, aid))
  const files = groupByRid(
    await selectDownloads(db, aid).orderBy('d.position').orderBy('d.id').execute(),
  )
  const opens = await listOpens(db, aid)
  const rows = (await listResources(db, aid)).sort((one, other) => one.created - other.created)
  const resources = rows.map((row) => ({
    row,
    prices: prices.get(row.rid) ?? [],
    files: files.get(row.rid) ?? [],
    opens: opens.get(row.rid) ?? OPENS_NOTHING,
  }))
  return { app, resources }
}

export async function readResourceState(
  db: Db,
  aid: string,
  rid: string,
): Promise<ResourceState | undefined> {
  const [row] = await findResources(db, aid, [rid])
  if (!row) return undefined
  const prices = await listPrices(db, aid, rid)
  const key = { aid, rid }
  return { row, prices, files: await listDownloadsOf(db, key), opens: await getOpens(db, key) }
}

function groupByRid<T extends { rid: string }>(rows: readonly T[]): ReadonlyMap<string, T[]> {
  const groups = new Map<string, T[]>()
  for (const row of rows) {
    const group = groups.get(row.rid)
    if (group) group.push(row)
    else groups.set(row.rid, [row])
  }
  return groups
}

export const isOnSale = ({ archived }: PriceRow) => archived === null

export const termsOf = ({ amount, currency, recurring, period, trial_days }: Terms): Terms => ({
  ...{ amount, currency, recurring, period, trial_days },
})

/** Two prices with the same text are the same offer. */
export const termsKey = (terms: Terms) => JSON.stringify(termsOf(terms))

export const opensKey = ({ rids, prefixes, all }: Opens) => JSON.stringify([rids, prefixes, all])

const fileContent = (file: DownloadRow) => [
  ...[file.file_name, file.type, file.sha256, file.published !== null],
  ...[file.title, file.description, file.image, file.image_id],
]

/** Serializes what the plan of a copy depends on. If it differs when the plan is carried out, the plan is outdated. */
export const resourceContent = (state: ResourceState | undefined): string =>
  state === undefined
    ? ''
    : JSON.stringify([
        ...[state.row.name, state.row.url, state.row.description, state.row.image],
        ...[state.row.image_id, state.row.archived !== null],
        state.prices.map((price) => [price.id, termsKey(price), isOnSale(price)]),
        state.files.map((file) => [file.id, ...fileContent(file)]),
        opensKey(state.opens),
      ])

export const brandContent = ({ app }: Pick<AppState, 'app'>): string =>
  JSON.stringify([
    ...[app.accent, app.support_email, app.time_zone, app.logo_id],
    readLegalLinks(app.legal_links),
  ])

export const templatesContent = ({ app }: Pick<AppState, 'app'>): string =>
  JSON.stringify([app.mail_template, Object.entries(readTemplates(app.mail_templates)).sort()])
