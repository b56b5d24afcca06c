import type { SheetReading } from '@gatehouse/server/dashboard-api'
import { CircleAlert } from 'lucide-react'
import type { ReactNode } from 'react'
import { EmailWrap } from '../../../components/people/email-wrap.tsx'
import { texts } from '../../../texts.ts'
import { showEnd } from './end-text.ts'
import { RowsTable } from './rows-table.tsx'

const words = texts.importing

const COLUMNS = [
  { title: words.row, className: 'w-14 text-right' },
  { title: words.email },
  { title: words.name, className: 'max-sm:hidden' },
  { title: words.resourceName, className: 'max-sm:hidden' },
  { title: words.until },
]

/** The first rows as the import understands them. */
export function SampleTable({ reading }: { reading: SheetReading }): ReactNode {
  return (
    <RowsTable caption={words.preview} columns={COLUMNS}>
      {reading.sample.map((row) => (
        <SampleRow key={row.row} row={row} />
      ))}
    </RowsTable>
  )
}

function SampleRow({ row }: { row: SheetReading['sample'][number] }): ReactNode {
  const { understood, problem } = row
  return (
    <tr>
      <td className="text-right text-soft tabular-nums">{row.row}</td>
      {understood === null ? (
        <td colSpan={4} className="break-words text-failed">
          <CircleAlert size={14} className="mr-1 inline" aria-hidden />
          {problem}
        </td>
      ) : (
        <>
          <td>
            <EmailWrap>{understood.email}</EmailWrap>
            <span className="block text-soft sm:hidden">{understood.name}</span>
            <span className="block text-soft sm:hidden">{understood.resource}</span>
          </td>
          <td className="max-sm:hidden">{understood.name}</td>
          <td className="max-sm:hidden">{understood.resource}</td>
          <td>{showEnd(understood.until)}</td>
        </>
      )}
    </tr>
  )
}
