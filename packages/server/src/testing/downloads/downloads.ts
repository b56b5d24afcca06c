import type { Environment } from '../../context.ts'
import type { Delivery, DeliveryRow } from '../../domain/downloads/deliveries.ts'
import {
  createDownload,
  type DownloadRow,
  type NewDownload,
} from '../../domain/downloads/downloads.ts'
import { storeFile, type UnreferencedFile } from '../../domain/downloads/files.ts'
import { newOrderedId } from '../../ids.ts'
import type { TestApplication } from '../service.ts'

/** Uploads bytes to the current store, in one chunk unless they come in several. */
export async function uploadBytes<R>(
  { environment, aid }: Pick<TestApplication, 'environment' | 'aid'>,
  bytes: Uint8Array | AsyncIterable<Uint8Array>,
  use: (file: UnreferencedFile) => Promise<R>,
): Promise<R> {
  const chunks =
    bytes instanceof Uint8Array
      ? (async function* () {
          yield bytes
        })()
      : bytes
  return await storeFile(environment, aid, environment.stores.current, chunks, use)
}

/** The current times, with the test as the actor. */
export const testActor = ({ clock, realTime }: Environment) => ({
  now: clock(),
  realTime: realTime(),
  actor: 'test',
})

/** Delivery rows as they are stored, one for each delivery. */
export const toDeliveryRows = (deliveries: readonly Delivery[]): DeliveryRow[] =>
  deliveries.map((delivery) => ({ ...delivery, id: newOrderedId(), answers: 1 }))

/** Adds a download to an existing resource, published unless `more` says otherwise. */
export async function addDownload(
  { environment, aid }: TestApplication,
  rid: string,
  bytes: Uint8Array | AsyncIterable<Uint8Array> = Buffer.from(`the file of ${rid}`),
  more: Partial<NewDownload> = {},
): Promise<DownloadRow> {
  const input: NewDownload = {
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
  return await uploadBytes({ environment, aid }, bytes, (file) =>
    environment.database.write((trx) => createDownload(trx, input, file, testActor(environment))),
  )
}
