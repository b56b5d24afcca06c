import { createHash } from 'node:crypto'
import { beforeEach } from 'vitest'
import type { Environment } from '../../context.ts'
import {
  type Description,
  type DownloadKey,
  describeDownload,
  getDownload,
  publishDownload,
  removeDownload,
  replaceFile,
} from '../../domain/downloads/downloads.ts'
import type { UnreferencedFile } from '../../domain/downloads/files.ts'
import type { OpenFile } from '../../domain/downloads/storage/storage.ts'
import { listHistory } from '../../domain/history/history.ts'
import type { TestDatabase } from '../databases.ts'
import { useFreshApplication, useService } from '../use-service.ts'
import { testActor, uploadBytes } from './downloads.ts'

export const NOT_FOUND = { code: 'download_not_found', status: 404 }
export const sha256 = (bytes: string) => createHash('sha256').update(bytes).digest('hex')
export const ten = <T>(work: (i: number) => Promise<T>) =>
  Promise.allSettled(Array.from({ length: 10 }, (_, i) => work(i)))

/** Returns how many calls succeeded, and the error codes of the rest. */
export function outcomesOf(results: PromiseSettledResult<unknown>[]) {
  const refusals = results.flatMap((one) => (one.status === 'rejected' ? [one.reason] : []))
  return { good: results.length - refusals.length, refusals: refusals.map(({ code }) => code) }
}

/** Runs a service, and changes the download of a new application in each test. */
export function useDownloadChanges(database: TestDatabase) {
  const service = useService(database)
  const app = useFreshApplication(service)
  beforeEach(async () => {
    await app.addResource('guide', { name: 'The guide' })
  })

  const key = (rid = 'guide') => ({ aid: app.aid, rid })
  const db = () => app.environment.database
  const doing = () => testActor(app.environment)
  const now = () => service.clock.seconds

  const describeIt = (input: Partial<Description>, of = key()) =>
    db().write((trx) => describeDownload(trx, of, input, doing()))
  const publish = (is: boolean, of = key()) =>
    db().write((trx) => publishDownload(trx, of, is, doing()))
  const remove = (of = key()) => db().write((trx) => removeDownload(trx, of, doing()))
  const replace = (bytes: string, fileName = 'new.txt', of = key()) =>
    uploadBytes(app, Buffer.from(bytes), (file: UnreferencedFile) =>
      db().write((trx) => replaceFile(trx, of, file, { fileName, type: 'text/plain' }, doing())),
    )

  /** Lists the download's history, oldest first. */
  async function past(rid = 'guide') {
    const rows = await listHistory(db().read, app.aid, { rid })
    return rows
      .filter(({ action }) => action !== 'resource created')
      .map(({ action, actor, at, before, after }) => ({
        ...{ action, actor, at },
        before: before === null ? null : JSON.parse(before),
        after: after === null ? null : JSON.parse(after),
      }))
  }

  const contentOf = (rid = 'guide') => readContent(app.environment, key(rid))

  const filesOf = async () =>
    await db()
      .read.selectFrom('files')
      .selectAll()
      .where('dropped', 'is not', null)
      .orderBy('created')
      .execute()
  return {
    service,
    app,
    key,
    db,
    doing,
    now,
    describeIt,
    publish,
    remove,
    replace,
    past,
    contentOf,
    filesOf,
  }
}

/** Returns the text of the download's file. */
async function readContent(env: Environment, key: DownloadKey): Promise<string> {
  const { file_id, ...row } = await getDownload(env.database.read, key)
  const store = env.stores.of(row.store)
  const file: OpenFile = await store.open({ ...row, id: file_id })
  const chunks: Buffer[] = []
  try {
    // Copies the chunk, because its memory is reused.
    const keep = async (bytes: Uint8Array) => chunks.push(Buffer.from(bytes))
    if (row.size > 0) await file.send({ first: 0, last: row.size - 1 }, keep)
  } finally {
    await file.close()
  }
  return Buffer.concat(chunks).toString()
}
