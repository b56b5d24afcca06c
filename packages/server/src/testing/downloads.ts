import type { Environment } from '../context.ts'
import type { Delivery, DeliveryRow } from '../downloads/deliveries.ts'
import { createDownload, type DownloadRow, type NewDownload } from '../downloads/downloads.ts'
import { type TakenFile, takeFile } from '../downloads/files.ts'
import { newOrderedId } from '../ids.ts'
import type { TestApplication } from './service.ts'

/** Takes bytes in as a store's file, in one piece unless they come in several. */
export async function takeBytes<R>(
  environment: Environment,
  bytes: Uint8Array | AsyncIterable<Uint8Array>,
  use: (file: TakenFile) => Promise<R>,
): Promise<R> {
  const chunks =
    bytes instanceof Uint8Array
      ? (async function* () {
          yield bytes
        })()
      : bytes
  return await takeFile(environment, environment.stores.current, chunks, use)
}

/** What is done now by a test. */
export const doingIn = ({ clock, wall }: Environment) => ({
  now: clock(),
  wall: wall(),
  actor: 'test',
})

/** Deliveries as they are written down, each for itself. */
export const written = (deliveries: readonly Delivery[]): DeliveryRow[] =>
  deliveries.map((delivery) => ({ ...delivery, id: newOrderedId(), answers: 1 }))

/** A download of a resource that is there, published unless told otherwise. */
export async function addDownload(
  { environment, aid }: TestApplication,
  rid: string,
  bytes: Uint8Array | AsyncIterable<Uint8Array> = Buffer.from(`the file of ${rid}`),
  more: Partial<NewDownload> = {},
): Promise<DownloadRow> {
  const wish: NewDownload = {
    aid,
    rid,
    title: `Download of ${rid}`,
    description: '',
    image: '',
    fileName: `${rid}.bin`,
    type: 'application/octet-stream',
    publish: true,
    ...more,
  }
  return await takeBytes(environment, bytes, (file) =>
    environment.database.write((trx) => createDownload(trx, wish, file, doingIn(environment))),
  )
}
