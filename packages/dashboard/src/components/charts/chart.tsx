import { type ReactNode, useId, useState } from 'react'
import { ColumnTitles } from '../../components/display/column-titles.tsx'
import { texts } from '../../texts.ts'
import { saveFile, toCsv } from '../lists/csv.ts'
import { TextButton } from '../text-button.tsx'
import { type Bar, Bars } from './bars.tsx'

interface Props {
  /** The quantity that the bars show, such as “Net revenue”. */
  title: string
  /** The number and what it consists of, above the bars. */
  total: ReactNode
  /** Says in words what the bars show. */
  summary: string
  /** The header of the first column of the table: what one bar is. */
  unit: string
  bars: readonly Bar[]
  format: (value: number) => string
  /** A shorter format for the axis. */
  short: (value: number) => string
  /** Formats a value as a plain number, for a spreadsheet. */
  plain: (value: number) => string
  csvName: string
}

/** A bar chart that can be switched to a table, and exported. */
export function Chart(props: Props): ReactNode {
  const { title, total, summary, bars, short, format } = props
  const [asTable, setAsTable] = useState(false)
  const heading = useId()
  return (
    <figure
      aria-labelledby={heading}
      className="grid min-w-0 content-start gap-4 rounded-xl border border-line bg-card p-4 shadow-card sm:p-5"
    >
      <figcaption className="flex flex-wrap items-start justify-between gap-x-4 gap-y-2">
        <div>
          <h2 id={heading} className="text-base font-semibold">
            {title}
          </h2>
          {total}
        </div>
        <div className="flex gap-4">
          <TextButton onClick={() => setAsTable(!asTable)}>
            {asTable ? texts.chart.hideTable : texts.chart.showTable}
          </TextButton>
          <TextButton onClick={() => exportBars(props)}>{texts.figures.exportCsv}</TextButton>
        </div>
      </figcaption>
      {asTable ? (
        <BarTable {...props} />
      ) : (
        <Bars label={summary} bars={bars} format={format} short={short} />
      )}
    </figure>
  )
}

const exportBars = ({ unit, title, bars, plain, csvName }: Props) =>
  saveFile(
    `${csvName}.csv`,
    toCsv([[unit, title], ...bars.map(({ key, value }) => [key, Number(plain(value))])]),
  )

function BarTable({ title, unit, bars, format }: Props): ReactNode {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: it must be scrollable by keyboard.
    <section tabIndex={0} aria-label={title} className="max-h-72 overflow-y-auto">
      <table className="w-full">
        <ColumnTitles
          columns={[{ title: unit }, { title, className: 'text-right' }]}
          className="sticky top-0 bg-card pb-1 text-left font-medium text-soft"
        />
        <tbody className="divide-y divide-line">
          {bars.map(({ key, label, value }) => (
            <tr key={key}>
              <td className="py-1">{label}</td>
              <td className="py-1 text-right tabular-nums">{format(value)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  )
}
