import type { Environment } from '../../context.ts'
import type { RowKey } from '../../db/queries/rows.ts'
import { getAccessFiles, type ReaderFile } from '../../domain/downloads/reader-files.ts'
import { Failure } from '../../errors.ts'

/** The files of an access record, and the reader's page that has them. */
export interface FilesPart {
  files: readonly ReaderFile[]
  /** The URL of the page; each file has its own below it. */
  url: string
  /** Whether the record gives access now. */
  isLive: boolean
}

export const NO_FILES: FilesPart = { files: [], url: '', isLive: false }

/** How long the files can be downloaded from a page before it has to be opened again. */
const FROM_PAGE_SECONDS = 6 * 3_600

/** Loads the files that an access record opens now. */
export async function loadFiles(env: Environment, access: RowKey | undefined): Promise<FilesPart> {
  if (!access) return NO_FILES
  const now = env.clock()
  try {
    const { files, isLive } = await getAccessFiles(env.database.read, access, now)
    return { files, isLive, url: await env.filesLink(access, now, FROM_PAGE_SECONDS) }
  } catch (error) {
    // The application is archived, or the record is gone. The rest of the page is still true.
    if (error instanceof Failure) return NO_FILES
    throw error
  }
}
