import type { Environment } from '../../context.ts'
import type { DownloadKey, DownloadRow } from '../../domain/downloads/downloads.ts'
import { formatTime } from '../../format-time.ts'
import { downloadDetails } from '../../records/download.ts'
import { formatBytes } from '../bytes.ts'
import { ACTOR } from '../context.ts'
import { formatRecord, type Output, print } from '../output.ts'

export type DownloadOptions = Output & DownloadKey

export const toView = (env: Environment, row: DownloadRow) => ({
  ...downloadDetails(env, row),
  environment: env.name,
})

export type View = ReturnType<typeof toView>

export function printDownload(output: Output, data: View): void {
  print(output, data, () =>
    formatRecord({
      ...data,
      size: formatBytes(data.size),
      filed: formatTime(data.filed),
      created: formatTime(data.created),
      modified: formatTime(data.modified),
      published: data.published === undefined ? 'no' : formatTime(data.published),
    }),
  )
}

/** The actor of a change by the command line, and its time by both clocks. */
export const cliActor = (env: Environment) => ({
  now: env.clock(),
  realTime: env.realTime(),
  actor: ACTOR,
})
