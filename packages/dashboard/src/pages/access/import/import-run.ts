import type {
  ImportColumn,
  ImportEvent,
  ImportResult,
  ImportRow,
  SheetReading,
} from '@gatehouse/server/dashboard-api'
import { type Parameters, streamFile } from '../../../api.ts'

/** A file, or what was pasted. */
export interface Sheet {
  name: string
  content: Blob
}

/** The settings that the user has chosen; the server recognizes the rest. */
export interface Choice {
  encoding?: SheetReading['encoding'] | undefined
  delimiter?: SheetReading['delimiter'] | undefined
  header?: boolean | undefined
  columns?: readonly ImportColumn[] | undefined
  order?: 'dmy' | 'mdy' | undefined
  rid?: string | undefined
  until?: string | undefined
}

export const toParameters = ({ columns, ...choice }: Choice): Parameters => ({
  ...choice,
  ...(columns === undefined ? {} : { columns: columns.join(',') }),
})

export interface Progress {
  done: number
  total: number
}

/** The messages that an import sends besides changing the access. */
export interface ImportEffects {
  /** Readers get emails. */
  notify: boolean
  /** Sites get events. */
  events: boolean
}

/** Everything that a run of an import has reported. */
export interface Run {
  result: ImportResult
  rows: readonly ImportRow[]
}

/** Runs an import or its preview. Returns undefined if the server stopped before the end. */
export async function runImport(
  path: string,
  sheet: Sheet,
  parameters: Parameters,
  { onProgress, signal }: { onProgress: (progress: Progress) => void; signal: AbortSignal },
): Promise<Run | undefined> {
  const rows: ImportRow[] = []
  let result: ImportResult | undefined
  await streamFile<ImportEvent>(path, parameters, sheet.content, {
    signal,
    onLine(event) {
      if ('row' in event) rows.push(event.row)
      else if ('progress' in event) onProgress(event.progress)
      else result = event.done
    },
  })
  rows.sort((a, b) => a.row - b.row)
  return result && { result, rows }
}
