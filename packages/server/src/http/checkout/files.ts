import type { Environment } from '../../context.ts'
import type { RowKey } from '../../db/queries/rows.ts'
import { getAccessFiles, type ReaderFile } from '../../domain/downloads/reader-files.ts'
import { isLinkEnded } from '../../domain/users/reader-links.ts'
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

/** Loads the files that an access record opens now. `carried` is the link number of the page that shows them, if it has one:
 * no page leads to a link that lives on after the page's own was ended. */
export async function loadFiles(
  env: Environment,
  access: RowKey | undefined,
  carried?: number,
): Promise<FilesPart> {
  if (!access) return NO_FILES
  const now = env.clock()
  try {
    const { files, isLive, linkNumber } = await getAccessFiles(env.database.read, access, now)
    if (isLinkEnded(carried ?? linkNumber, linkNumber)) return NO_FILES
    const { aid, id } = access
    const url = await env.filesLink({ aid, id, linkNumber }, now, FROM_PAGE_SECONDS)
    return { files, isLive, url }
  } catch (error) {
    // The application is archived, or the record is gone. The rest of the page is still true.
    if (error instanceof Failure) return NO_FILES
    throw error
  }
}
