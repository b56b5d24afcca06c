import type { Trx } from '../../db/database.ts'
import { findAndLockRow } from '../../db/queries/rows.ts'
import { newOrderedId } from '../../ids.ts'
import {
  type Actor,
  createDownload,
  type DownloadRow,
  describeDownload,
  publishDownload,
  replaceFile,
} from '../downloads/downloads.ts'
import type { UnreferencedFile } from '../downloads/files.ts'
import { orderDownloads } from '../downloads/order.ts'
import { setImage } from '../images/attach.ts'
import type { NewImage } from '../images/images.ts'
import { setOpens } from '../passes/opens.ts'
import { changeResource } from '../resources/change.ts'
import { archivePrice, createPrice, restorePrice } from '../resources/prices.ts'
import { createResource } from '../resources/resources.ts'
import type { Direction } from './context.ts'
import { CopyChanged } from './outcome.ts'
import { type FileMatch, needsBytes, type ResourcePlan } from './plan.ts'
import { type Staged, stageBytes } from './stage.ts'
import { readResourceState, resourceContent } from './state.ts'

/** Copies one resource. Its bytes are stored first; then one transaction shows all of it, or nothing. */
export async function copyResource(
  direction: Direction,
  plan: ResourcePlan,
  actor: string,
): Promise<void> {
  const { env, aid } = direction.to
  const files = plan.files.filter(needsBytes).map(({ from }) => from)
  const images = [plan.from.row, ...plan.files.map(({ from }) => from)]
  const imageIds = images.flatMap(({ image_id }) => image_id ?? [])
  await stageBytes(direction, files, imageIds, (staged) =>
    env.database.write((trx) =>
      writeResource(trx, aid, plan, staged, {
        ...{ now: env.clock(), realTime: env.realTime(), actor },
      }),
    ),
  )
}

async function writeResource(
  trx: Trx,
  aid: string,
  plan: ResourcePlan,
  staged: Staged,
  doing: Actor,
): Promise<void> {
  const { from, to } = plan
  const key = { aid, rid: from.row.rid }
  if (to) {
    await requireUnchanged(trx, key, plan)
    await changeResource(trx, key, plan.texts, doing.now, doing.actor)
  } else {
    const { name, url, description, image } = from.row
    await createResource(trx, { ...key, name, url, description, image }, doing.now, doing.actor)
  }
  await writePrices(trx, key, plan, doing)
  await setOpens(trx, key, from.opens, doing.now, doing.actor)
  const image = imageIn(staged, from.row.image_id)
  await setImage(trx, { kind: 'resource', ...key }, image, doing)
  await writeFiles(trx, key, plan, staged, doing)
}

interface ResourceKey {
  aid: string
  rid: string
}

/** Locks the resource and then its files, in the order in which every change of them does. */
async function requireUnchanged(
  trx: Trx,
  { aid, rid }: ResourceKey,
  { to }: ResourcePlan,
): Promise<void> {
  if (!(await findAndLockRow(trx, 'resources', { aid, rid }))) throw new CopyChanged()
  for (const id of (to?.files ?? []).map((file) => file.id).sort()) {
    await findAndLockRow(trx, 'downloads', { aid, id })
  }
  const now = await readResourceState(trx, aid, rid)
  if (resourceContent(now) !== resourceContent(to)) throw new CopyChanged()
}

async function writePrices(
  trx: Trx,
  { aid, rid }: ResourceKey,
  { prices }: ResourcePlan,
  { now, actor }: Actor,
): Promise<void> {
  for (const { id } of prices.archive) await archivePrice(trx, { aid, id }, now, actor)
  for (const { id } of prices.restore) await restorePrice(trx, { aid, id }, now, actor)
  // Made within a moment, their ids would come in any order, and the checkout would offer another price first.
  const ids = prices.create.map(() => newOrderedId()).sort()
  for (const [i, terms] of prices.create.entries()) {
    await createPrice(trx, { aid, rid, ...terms }, now, actor, ids[i])
  }
}

/** Returns the image, or undefined where none is shown. */
function imageIn(staged: Staged, id: string | null): NewImage | undefined {
  if (id === null) return undefined
  const image = staged.images.get(id)
  if (!image) throw new Error(`the image ${id} was not stored`)
  return image
}

async function writeFiles(
  trx: Trx,
  key: ResourceKey,
  plan: ResourcePlan,
  staged: Staged,
  doing: Actor,
): Promise<void> {
  const ids: string[] = []
  for (const match of plan.files) ids.push(await writeFile(trx, key, match, staged, doing))
  for (const { id } of plan.withdraw) await publishDownload(trx, { ...key, id }, false, doing)
  const others = (plan.to?.files ?? []).map(({ id }) => id).filter((id) => !ids.includes(id))
  await orderDownloads(trx, key, [...ids, ...others], doing)
}

/** Makes one file of the target like that of the source. Returns its id in the target. */
async function writeFile(
  trx: Trx,
  key: ResourceKey,
  match: FileMatch,
  staged: Staged,
  doing: Actor,
): Promise<string> {
  const { from, to } = match
  const stored = staged.files.get(from.id)
  const id = to?.id ?? (await addFile(trx, key, from, stored, doing))
  const named = { ...key, id }
  if (to && stored) {
    const { file_name: fileName, type } = from
    await replaceFile(trx, named, stored, { fileName, type }, doing)
  }
  const { title, description, image } = from
  await describeDownload(trx, named, { title, description, image }, doing)
  await publishDownload(trx, named, from.published !== null, doing)
  const uploaded = imageIn(staged, from.image_id)
  await setImage(trx, { kind: 'download', aid: key.aid, id }, uploaded, doing)
  return id
}

async function addFile(
  trx: Trx,
  key: ResourceKey,
  from: DownloadRow,
  stored: UnreferencedFile | undefined,
  doing: Actor,
): Promise<string> {
  if (!stored) throw new Error(`the file ${from.id} was not stored`)
  const { title, description, image, file_name: fileName, type } = from
  const input = {
    ...{ ...key, title, description, image, fileName, type },
    ...{ publish: from.published !== null, isAdditional: true },
  }
  return (await createDownload(trx, input, stored, doing)).id
}
