import { type ScanSettings, scanFile } from './intake/scan.ts'
import { createScannedStore } from './intake/scanned-store.ts'
import { createDiskStore } from './storage/disk.ts'
import type { S3Options } from './storage/s3/client.ts'
import { type Store, type Stores, StoreUnavailable } from './storage/storage.ts'

export interface StoreOptions {
  /** The folder of the environment's files. */
  folder: string
  /** Whether a second server delivers files from the disk. */
  groupReads: boolean
  s3: S3Options | undefined
  /** The scanner for uploads, if there is one. */
  scan: ScanSettings | undefined
}

export interface OpenStores extends Stores {
  /** The current store, for files that somebody uploads: they are scanned if a scanner is set. */
  forUploads: Store
  close(): Promise<void>
}

/** New files go where the settings say; older files stay where they are. */
export async function openStores(
  { folder, groupReads, s3: bucket, scan }: StoreOptions,
  environment: string,
): Promise<OpenStores> {
  const disk = createDiskStore(folder, { groupReads })
  const s3 = bucket && (await openS3(bucket, environment, disk))
  const current = s3 ?? disk
  return {
    current,
    forUploads: scan ? createScannedStore(current, disk, (path) => scanFile(scan, path)) : current,
    of(store) {
      const found = store === 'disk' ? disk : s3
      if (!found)
        throw new StoreUnavailable('the file is in S3, but no bucket is set (GATEHOUSE_S3_BUCKET)')
      return found
    },
    async close() {
      await disk.close()
      await s3?.close()
    },
  }
}

async function openS3(options: S3Options, environment: string, disk: Store): Promise<Store> {
  // Imported only if it is used: it takes long to load.
  const { createS3Store } = await import('./storage/s3/store.ts')
  const s3 = createS3Store(options, environment)
  return {
    ...s3,
    async discard(id) {
      // A file that was being scanned when the service stopped is on the disk.
      await disk.discard(id)
      await s3.discard(id)
    },
  }
}
