import { existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import type { FileTable } from '../../db/tables.ts'
import { createDownload, findDownload } from '../../domain/downloads/downloads.ts'
import type { UnreferencedFile } from '../../domain/downloads/files.ts'
import { sweepDownloads } from '../../domain/downloads/sweep.ts'
import { newId } from '../../ids.ts'
import type { TestDatabase } from '../databases.ts'
import { readFile } from '../s3/store-fixtures.ts'
import type { TestApplication } from '../service.ts'
import { DAY } from '../time.ts'
import { useApplication, useS3, useService } from '../use-service.ts'
import { testActor } from './downloads.ts'

export const TOO_LATE = 'the upload stood still for too long'

/** Records an upload that never got its place. */
export const recordUpload = (
  { aid, environment }: TestApplication,
  upload: Pick<FileTable, 'id' | 'store' | 'created'>,
) =>
  environment.database.write((trx) =>
    trx
      .insertInto('files')
      .values({ aid, sha256: null, size: null, dropped: upload.created, ...upload })
      .execute(),
  )

/** Runs a service with one kind of store, and uploads files to it. */
export function useUploads(database: TestDatabase, inS3: boolean) {
  const s3 = useS3()
  const service = useService(database, () => ({ env: inS3 ? s3.env : {} }))
  const app = useApplication(service)
  const env = () => app.environment
  const folder = () =>
    join(service.installation.env.GATEHOUSE_DATA as string, 'files', 'production')

  const sweep = () => sweepDownloads(env())
  const later = (seconds: number) => service.clock.advance(seconds)

  /** Lists everything in the store: whole files and unfinished uploads. */
  async function kept(): Promise<string[]> {
    if (inS3) return [...(await s3.objects()), ...s3.uploads()]
    if (!existsSync(folder())) return []
    const files = readdirSync(folder()).filter((name) => name !== 'uploads')
    return [...files, ...readdirSync(join(folder(), 'uploads'))]
  }
  const rows = () => env().database.read.selectFrom('files').selectAll().execute()

  /** Sweeps the store, so that a test starts without leftovers. */
  async function clean() {
    later(DAY + 1)
    await sweep()
    return { files: await kept(), rows: await rows() }
  }

  async function newResource(): Promise<string> {
    const rid = newId()
    await app.addResource(rid)
    return rid
  }
  const find = (rid: string) => findDownload(env().database.read, { aid: app.aid, rid })

  async function bytesOf(rid: string): Promise<Buffer> {
    const found = await find(rid)
    if (!found) throw new Error('no such download')
    return await readFile(env().stores.of(found.store), { ...found, id: found.file_id })
  }
  const wishFor = (rid: string) => ({
    aid: app.aid,
    rid,
    title: 'A title',
    description: '',
    image: '',
    fileName: 'a.bin',
    type: 'application/octet-stream',
    publish: true,
  })
  const create = (rid: string, file: UnreferencedFile) =>
    env().database.write((trx) => createDownload(trx, wishFor(rid), file, testActor(env())))
  return {
    s3,
    service,
    app,
    sweep,
    later,
    kept,
    rows,
    clean,
    newResource,
    find,
    bytesOf,
    wishFor,
    create,
  }
}
