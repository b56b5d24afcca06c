import type { SheetReading } from '@gatehouse/server/dashboard-api'
import { CircleAlert } from 'lucide-react'
import type { ReactNode } from 'react'
import { EmailWrap } from '../../../components/display/email-wrap.tsx'
import { texts } from '../../../texts.ts'
import { bodyClass, headClass } from './columns-table.tsx'
import { showEnd } from './end-text.ts'

const words = texts.importing

/** The first rows as the import understands them. */
export function SampleTable({ reading }: { reading: SheetReading }): ReactNode {
  return (
    <div className="rounded-lg border border-line">
      <table className="w-full">
        <caption className="sr-only">{words.preview}</caption>
        <thead>
          <tr>
            <th scope="col" className={`${headClass} w-14 text-right`}>
              {words.row}
            </th>
            <th scope="col" className={headClass}>
              {words.email}
            </th>
            <th scope="col" className={`${headClass} max-sm:hidden`}>
              {words.name}
            </th>
            <th scope="col" className={`${headClass} max-sm:hidden`}>
              {words.resourceName}
            </th>
            <th scope="col" className={headClass}>
              {words.until}
            </th>
          </tr>
        </thead>
        <tbody className={`${bodyClass} [&_td]:align-top`}>
          {reading.sample.map((row) => (
            <SampleRow key={row.row} row={row} />
          ))}
        </tbody>
      </table>
    </div>
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
