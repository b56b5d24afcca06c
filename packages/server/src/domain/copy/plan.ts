import type { DownloadRow } from '../downloads/downloads.ts'
import { MAX_FILES } from '../downloads/limits.ts'
import type { PriceRow, Terms } from '../resources/prices.ts'
import type { ResourceRow } from '../resources/resources.ts'
import { isOnSale, type ResourceState, termsKey, termsOf } from './state.ts'

/** Why a resource can't be copied. */
export type Obstacle = 'archived_in_source' | 'archived_in_target' | 'too_many_files'

/** The texts of a resource that are copied. */
export const RESOURCE_TEXTS = ['name', 'url', 'description', 'image'] as const
export type ResourceText = (typeof RESOURCE_TEXTS)[number]

/** A file of the source and the one in the target that becomes the same. */
export interface FileMatch {
  from: DownloadRow
  /** Undefined if it has to be added. */
  to: DownloadRow | undefined
}

/** The steps that make a resource of the target like that of the source. Nothing is deleted: prices that the source
 * doesn't have are archived, and files that it doesn't have are withdrawn. */
export interface ResourcePlan {
  from: ResourceState
  /** Undefined if it has to be created. */
  to: ResourceState | undefined
  texts: Partial<Record<ResourceText, string>>
  isImageOther: boolean
  prices: { create: Terms[]; restore: PriceRow[]; archive: PriceRow[] }
  files: FileMatch[]
  withdraw: DownloadRow[]
  /** The ids of the target's files, in the order that they have to be in before any is added. */
  isOrderOther: boolean
  obstacle: Obstacle | undefined
}

export function planResource(from: ResourceState, to: ResourceState | undefined): ResourcePlan {
  const files = matchFiles(from.files, to?.files ?? [])
  const kept = new Set(files.flatMap((match) => match.to?.id ?? []))
  const others = (to?.files ?? []).filter(({ id }) => !kept.has(id))
  return {
    from,
    to,
    texts: otherTexts(from.row, to?.row),
    isImageOther: from.row.image_id !== (to?.row.image_id ?? null),
    prices: planPrices(from.prices, to?.prices ?? []),
    files,
    withdraw: others.filter(({ published }) => published !== null),
    isOrderOther: isOrderOther(files, others, to?.files ?? []),
    obstacle: obstacleTo(from, to, files),
  }
}

function otherTexts(from: ResourceRow, to: ResourceRow | undefined): ResourcePlan['texts'] {
  const names = RESOURCE_TEXTS.filter((name) => from[name] !== to?.[name])
  return Object.fromEntries(names.map((name) => [name, from[name]]))
}

function obstacleTo(
  from: ResourceState,
  to: ResourceState | undefined,
  files: readonly FileMatch[],
): Obstacle | undefined {
  if (from.row.archived !== null) return 'archived_in_source'
  if (!to) return undefined
  if (to.row.archived !== null) return 'archived_in_target'
  const added = files.filter((match) => match.to === undefined).length
  return to.files.length + added > MAX_FILES ? 'too_many_files' : undefined
}

/** Prices never change, so the target gets the ones that it lacks, and those that the source lacks are archived. */
function planPrices(from: readonly PriceRow[], to: readonly PriceRow[]): ResourcePlan['prices'] {
  const wanted = new Map(from.filter(isOnSale).map((price) => [termsKey(price), price]))
  const sold = new Set(to.filter(isOnSale).map(termsKey))
  const archived = new Map(
    to.filter((price) => !isOnSale(price)).map((price) => [termsKey(price), price]),
  )
  const missing = [...wanted].filter(([key]) => !sold.has(key))
  return {
    create: missing.flatMap(([key, price]) => (archived.has(key) ? [] : termsOf(price))),
    restore: missing.flatMap(([key]) => archived.get(key) ?? []),
    archive: to.filter((price) => isOnSale(price) && !wanted.has(termsKey(price))),
  }
}

type IsSame = (one: DownloadRow, other: DownloadRow) => boolean

const hasSameName: IsSame = (one, other) => one.file_name === other.file_name
const hasSameBytes: IsSame = (one, other) => one.sha256 === other.sha256

/** Files have other ids in each environment. The best match comes first: the same file, then the same bytes under another
 * name, then other bytes under the same name, whose links go on working and deliver the new bytes. */
const LIKENESSES: readonly IsSame[] = [
  (one, other) => hasSameName(one, other) && hasSameBytes(one, other),
  hasSameBytes,
  hasSameName,
]

function matchFiles(from: readonly DownloadRow[], to: readonly DownloadRow[]): FileMatch[] {
  const matches = withoutDuplicates(from).map((file): FileMatch => ({ from: file, to: undefined }))
  const free = new Set(to)
  for (const isSame of LIKENESSES) {
    for (const match of matches) {
      if (match.to) continue
      match.to = [...free].find((file) => isSame(match.from, file))
      if (match.to) free.delete(match.to)
    }
  }
  return matches
}

/** A resource can't get the same file under the same name twice. */
const withoutDuplicates = (files: readonly DownloadRow[]) =>
  files.filter(
    (file, i) =>
      !files.slice(0, i).some((one) => hasSameName(one, file) && hasSameBytes(one, file)),
  )

/** The source's files come first in its order, then those that only the target has. Whatever is added comes last, so it
 * may have to move too. */
function isOrderOther(
  matches: readonly FileMatch[],
  others: readonly DownloadRow[],
  now: readonly DownloadRow[],
): boolean {
  const added = matches.filter(({ to }) => to === undefined)
  const wanted = [...matches.map(({ to, from }) => to?.id ?? `new ${from.id}`), ...idsOf(others)]
  const otherwise = [...idsOf(now), ...added.map(({ from }) => `new ${from.id}`)]
  return wanted.some((id, i) => id !== otherwise[i])
}

const idsOf = (files: readonly DownloadRow[]) => files.map(({ id }) => id)

/** Whether the bytes have to be stored anew: a file gets its name together with them. */
export const needsBytes = ({ from, to }: FileMatch): boolean =>
  to === undefined || !hasSameBytes(from, to) || !hasSameName(from, to) || from.type !== to.type
