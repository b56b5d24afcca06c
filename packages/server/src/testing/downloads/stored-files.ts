import { createHash, randomBytes } from 'node:crypto'
import type { DownloadRow } from '../../domain/downloads/downloads.ts'
import { databases } from '../databases.ts'
import { useFixture } from '../fixtures.ts'
import type { stores } from '../s3/stores.ts'
import { useApplication, useService } from '../use-service.ts'
import { addDownload } from './downloads.ts'

export const SIZE = 300_000
export const FILE = randomBytes(SIZE)
const [SQLITE] = databases

/** Runs a service with one kind of store, and adds files to it. */
export function useStoredFiles(kind: (typeof stores)[number]) {
  const env = useFixture(kind.start, kind.stop)
  const service = useService(SQLITE, () => ({ env }))
  const app = useApplication(service)
  let count = 0
  async function addFile(): Promise<DownloadRow> {
    const rid = `file-${count++}`
    await app.addResource(rid)
    return await addDownload(app, rid, FILE)
  }
  const linkTo = (input: { rid: string; lifetime: number }) =>
    app.client.request<{ url: string }>('GET', '/r2/downloads/url', input)
  return { service, app, addFile, linkTo }
}

/** The entity tag of the file. */
export const etag = `"${createHash('sha256').update(FILE).digest('hex')}"`
