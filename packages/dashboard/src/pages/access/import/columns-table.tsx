import type { ImportColumn, SheetReading } from '@gatehouse/server/dashboard-api'
import type { ReactNode } from 'react'
import { ColumnTitles } from '../../../components/display/column-titles.tsx'
import { optionsOf, Select } from '../../../components/forms/select.tsx'
import { texts } from '../../../texts.ts'

const words = texts.importing
const EXAMPLES = 3
const OPTIONS = optionsOf(words.targets)

const COLUMNS = [
  { title: words.column },
  { title: words.examples, className: 'max-sm:hidden' },
  { title: words.holds },
]

export const headClass = 'px-3 py-2 text-left text-xs font-medium text-soft'
export const bodyClass = '[&_td]:border-t [&_td]:border-line [&_td]:px-3 [&_td]:py-2'

interface Props {
  reading: SheetReading
  onAssign: (column: number, target: ImportColumn) => void
}

/** The columns of the file, each with what it holds. */
export function ColumnsTable({ reading, onAssign }: Props): ReactNode {
  return (
    <div className="rounded-lg border border-line">
      <table className="w-full table-fixed">
        <caption className="sr-only">{words.columns}</caption>
        <ColumnTitles columns={COLUMNS} className={headClass} />
        <tbody className={bodyClass}>
          {reading.names.map((name, i) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: columns have no other identity, and may share a name.
            <tr key={i}>
              <td className="break-words">{name}</td>
              <td className="truncate text-soft max-sm:hidden">{examplesOf(reading, i)}</td>
              <td>
                <Select
                  aria-label={words.holdsFor(name)}
                  options={OPTIONS}
                  value={reading.columns[i] ?? ''}
                  onChange={({ target }) => onAssign(i, target.value as ImportColumn)}
                />
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}

const examplesOf = ({ sample }: SheetReading, column: number): string =>
  sample
    .map(({ cells }) => cells[column] ?? '')
    .filter((cell) => cell.trim() !== '')
    .slice(0, EXAMPLES)
    .join(', ')
