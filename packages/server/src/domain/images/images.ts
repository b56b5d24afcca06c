import { createHash } from 'node:crypto'
import type { Db, EnvironmentDatabase, Trx } from '../../db/database.ts'
import { deleteRows, findRow } from '../../db/queries/rows.ts'
import type { FileTable, ImageTable, Millis, Seconds } from '../../db/tables.ts'
import { imageTypeLetter } from '../../image-url.ts'
import {
  type FileContext,
  lockFiles,
  markFileDropped,
  storeFile,
  type UnreferencedFile,
} from '../downloads/files.ts'
import type { Stores } from '../downloads/storage/storage.ts'
import { type ConvertedImage, convertImage } from './convert.ts'

/** One size of an image, as the column `sizes` lists them. */
interface StoredSize {
  width: number
  height: number
  file: string
}

export interface ImageContext extends FileContext {
  database: EnvironmentDatabase
  stores: Stores
}

/** An image whose files are stored but that no row refers to yet. */
export interface NewImage {
  id: string
  /** Adds the image, in the transaction that refers to it, unless the application has the same one already. */
  attach(trx: Trx, now: Seconds): Promise<void>
}

/** Converts and stores an image and passes it to `use`, which refers to it in a transaction of its own. */
export async function storeImage<R>(
  ctx: ImageContext,
  aid: string,
  bytes: Uint8Array,
  use: (image: NewImage) => Promise<R>,
): Promise<R> {
  return await storeConverted(ctx, aid, await convertImage(aid, bytes), use)
}

/** Stores an image that was converted before, such as one of another application. The same image has the same id in
 * every application. */
export async function storeConverted<R>(
  ctx: ImageContext,
  aid: string,
  image: ConvertedImage,
  use: (image: NewImage) => Promise<R>,
): Promise<R> {
  const id = idOf(image)
  return await storeSizes(ctx, aid, image, [], (files) =>
    use({ id, attach: (trx, now) => attachImage(trx, { aid, id }, image, files, now) }),
  )
}

function idOf({ type, sizes }: ConvertedImage): string {
  const hash = createHash('sha256')
  for (const { bytes } of sizes) hash.update(createHash('sha256').update(bytes).digest())
  return hash.digest('hex').slice(0, 32) + imageTypeLetter(type)
}

/** Stores one size after the other. Each store discards its remains when the innermost call returns. */
async function storeSizes<R>(
  ctx: ImageContext,
  aid: string,
  image: ConvertedImage,
  stored: readonly UnreferencedFile[],
  use: (files: readonly UnreferencedFile[]) => Promise<R>,
): Promise<R> {
  const next = image.sizes[stored.length]
  if (!next) return await use(stored)
  return await storeFile(ctx, aid, ctx.stores.current, chunksOf(next.bytes), (file) =>
    storeSizes(ctx, aid, image, [...stored, file], use),
  )
}

async function* chunksOf(bytes: Buffer): AsyncGenerator<Uint8Array> {
  yield bytes
}

async function attachImage(
  trx: Trx,
  { aid, id }: Pick<ImageTable, 'aid' | 'id'>,
  { type, sizes }: ConvertedImage,
  files: readonly UnreferencedFile[],
  now: Seconds,
): Promise<void> {
  await lockFiles(trx)
  if (await findRow(trx, 'images', { aid, id })) return
  for (const file of files) await file.attach(trx)
  const stored: StoredSize[] = sizes.map(({ width, height }, i) => ({
    ...{ width, height, file: (files[i] as UnreferencedFile).id },
  }))
  const { width, height } = stored.at(-1) as StoredSize
  await trx
    .insertInto('images')
    .values({ aid, id, type, width, height, sizes: JSON.stringify(stored), created: now })
    .execute()
}

/** Removes an image that nothing shows anymore. Its files are swept after a day. */
export async function dropImageIfUnused(
  trx: Trx,
  { aid, id }: Pick<ImageTable, 'aid' | 'id'>,
  realTime: Millis,
): Promise<void> {
  // Attaching takes the same lock, so nobody can start to use the image meanwhile.
  await lockFiles(trx)
  const image = await findRow(trx, 'images', { aid, id })
  if (!image || (await isUsed(trx, aid, id))) return
  await deleteRows(trx, 'images', { aid, id })
  for (const { file } of sizesOf(image)) await markFileDropped(trx, { aid, id: file }, realTime)
}

async function isUsed(trx: Trx, aid: string, id: string): Promise<boolean> {
  const uses = [
    await findRow(trx, 'applications', { aid, logo_id: id }),
    await findRow(trx, 'resources', { aid, image_id: id }),
    await findRow(trx, 'downloads', { aid, image_id: id }),
  ]
  return uses.some((row) => row !== undefined)
}

/** Finds an image with the file of each size, smallest first. A file that is gone is missing. */
export async function findImageSizes(
  db: Db,
  { aid, id }: Pick<ImageTable, 'aid' | 'id'>,
): Promise<
  { type: string; sizes: { width: number; height: number; file: FileTable }[] } | undefined
> {
  const image = await findRow(db, 'images', { aid, id })
  if (!image) return undefined
  const sizes: { width: number; height: number; file: FileTable }[] = []
  for (const { width, height, file: fileId } of sizesOf(image)) {
    const file = await findRow(db, 'files', { aid, id: fileId })
    if (file) sizes.push({ width, height, file })
  }
  return { type: image.type, sizes }
}

const sizesOf = ({ sizes }: Pick<ImageTable, 'sizes'>) => JSON.parse(sizes) as StoredSize[]

/** Finds the file of an image in the smallest stored size that has enough pixels, or else the largest. */
export async function findImageFile(
  db: Db,
  { aid, id }: Pick<ImageTable, 'aid' | 'id'>,
  minWidth: number,
): Promise<{ type: string; file: FileTable } | undefined> {
  const image = await findRow(db, 'images', { aid, id })
  if (!image) return undefined
  const sizes = sizesOf(image)
  const size = sizes.find(({ width }) => width >= minWidth) ?? sizes.at(-1)
  const file = size && (await findRow(db, 'files', { aid, id: size.file }))
  return file && { type: image.type, file }
}
