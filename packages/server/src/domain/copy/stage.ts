import { findRow } from '../../db/queries/rows.ts'
import type { DownloadRow } from '../downloads/downloads.ts'
import { storeFile, type UnreferencedFile } from '../downloads/files.ts'
import { readBytes } from '../downloads/storage/read-bytes.ts'
import { MissingFile } from '../downloads/storage/storage.ts'
import type { ConvertedImage } from '../images/convert.ts'
import { findImageSizes, type NewImage, storeConverted } from '../images/images.ts'
import { readWhole } from '../images/read.ts'
import type { Direction } from './context.ts'
import { CopyChanged } from './outcome.ts'

/** Bytes that are in the target's store already, though no record refers to them yet. */
export interface Staged {
  /** By the id of the download in the source. */
  files: ReadonlyMap<string, UnreferencedFile>
  /** By the id of the image, which is the same in every application. */
  images: ReadonlyMap<string, NewImage>
}

/** Stores bytes in the target, one after the other, and passes them to `use`, which refers to them in one transaction. If
 * that never happens, the sweep removes them. Each environment has its own copy: removing one leaves the other. */
export async function stageBytes<R>(
  direction: Direction,
  files: readonly DownloadRow[],
  imageIds: readonly string[],
  use: (staged: Staged) => Promise<R>,
): Promise<R> {
  const images = [...new Set(imageIds)]
  const addImage = async (i: number, staged: Map<string, NewImage>): Promise<R> => {
    const id = images[i]
    if (id === undefined) return await addFile(0, new Map(), staged)
    return await stageImage(direction, id, (image) =>
      addImage(i + 1, new Map(staged).set(id, image)),
    )
  }
  const addFile = async (
    i: number,
    staged: Map<string, UnreferencedFile>,
    done: ReadonlyMap<string, NewImage>,
  ): Promise<R> => {
    const file = files[i]
    if (!file) return await use({ files: staged, images: done })
    return await stageFile(direction, file, (stored) =>
      addFile(i + 1, new Map(staged).set(file.id, stored), done),
    )
  }
  return await addImage(0, new Map())
}

async function stageFile<R>(
  { from, to }: Direction,
  { file_id: id, store, sha256, size }: DownloadRow,
  use: (file: UnreferencedFile) => Promise<R>,
): Promise<R> {
  const source = from.env.stores.of(store)
  const bytes = readBytes(source, { id, sha256, size })
  return await storeFile(to.env, to.aid, to.env.stores.current, bytes, async (file) => {
    // A damaged file must not be spread.
    if (file.sha256 !== sha256) throw new MissingFile(`${id} is not the file that it was`)
    return await use(file)
  })
}

/** An image that the target has already is used as it is. */
async function stageImage<R>(
  { from, to }: Direction,
  id: string,
  use: (image: NewImage) => Promise<R>,
): Promise<R> {
  if (await findRow(to.env.database.read, 'images', { aid: to.aid, id })) {
    return await use({
      id,
      attach: async (trx) => {
        if (!(await findRow(trx, 'images', { aid: to.aid, id }))) throw new CopyChanged()
      },
    })
  }
  const found = await findImageSizes(from.env.database.read, { aid: from.aid, id })
  if (!found) throw new CopyChanged()
  const sizes: ConvertedImage['sizes'] = []
  for (const { width, height, file } of found.sizes) {
    sizes.push({ width, height, bytes: await readWhole(from.env.stores, file) })
  }
  const image = { type: found.type as ConvertedImage['type'], sizes }
  return await storeConverted(to.env, to.aid, image, async (stored) => {
    if (stored.id !== id) throw new MissingFile(`the image ${id} is not the one that it was`)
    return await use(stored)
  })
}
