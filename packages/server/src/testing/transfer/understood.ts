import { EndDates } from '../../domain/transfer/sheets/dates.ts'
import type { Source } from '../../domain/transfer/sheets/encoding.ts'
import { inspectSheet } from '../../domain/transfer/sheets/inspect.ts'
import { RowReader } from '../../domain/transfer/sheets/read-row.ts'
import { ResourceNameIndex } from '../../domain/transfer/sheets/resources.ts'
import type { ChosenSettings } from '../../domain/transfer/sheets/settings.ts'
import { Failure } from '../../errors.ts'

/** Delivers the bytes in small chunks, so that characters are split between them. */
export function sourceOf(content: string | Uint8Array, size = 7): Source {
  const bytes = Buffer.from(content as string)
  return {
    name: 'the file',
    async *bytes() {
      for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size)
    },
  }
}

const RESOURCES = new ResourceNameIndex([
  { rid: 'pass', name: 'Monatspass' },
  { rid: 'i7', name: 'Issue 7' },
  { rid: 'a', name: 'Twin' },
  { rid: 'b', name: 'twin' },
])

/** Understands a file as an import does: one line of text for each row. */
export async function understood(content: string | Uint8Array, chosen: ChosenSettings = {}) {
  const sheet = await inspectSheet(sourceOf(content), { rid: 'pass', ...chosen })
  const reader = new RowReader(sheet.settings, RESOURCES, 'Europe/Berlin')
  const dates = new EndDates('Europe/Berlin')
  const rows: string[] = []
  for await (const { line, cells } of sheet.file.rows()) {
    try {
      const { email, rid, firstName = '', lastName = '', ends } = reader.read(cells)
      rows.push([line, email, firstName, lastName, rid, dates.write(ends)].join('|'))
    } catch (error) {
      if (!(error instanceof Failure)) throw error
      rows.push(`${line}: ${error.message}`)
    }
  }
  return { ...sheet, rows }
}
