import { type Figures, type ResourceFigures, toMajor } from '@gatehouse/server/dashboard-api'
import type { ReactNode } from 'react'
import { ColumnTitles } from '../../components/display/column-titles.tsx'
import { Defined } from '../../components/display/defined.tsx'
import { saveFile, toCsv } from '../../components/lists/csv.ts'
import { TextButton } from '../../components/text-button.tsx'
import { formatMoney, formatNumber } from '../../format.ts'
import { texts } from '../../texts.ts'
import { ListText } from './list-links.tsx'

const words = texts.figures

const COLUMNS = [
  { title: words.resource },
  { title: words.payments, className: 'pr-4 text-right whitespace-nowrap max-sm:hidden' },
  { title: words.net, className: 'text-right whitespace-nowrap' },
]

/** The revenue by resource. */
export function ResourcesCard({ figures }: { figures: Figures }): ReactNode {
  const { resources } = figures
  const most = Math.max(1, ...resources.map(({ net }) => net.amount))
  return (
    <section className="relative grid min-w-0 content-start gap-4 rounded-xl border border-line bg-card p-4 shadow-card sm:p-5">
      <div className="flex flex-wrap items-center justify-between gap-2">
        <h2 className="text-base font-semibold">
          <Defined definition={words.definitions.byResource}>{words.byResource}</Defined>
        </h2>
        {resources.length > 0 && (
          <TextButton onClick={() => exportResources(figures)}>{words.exportCsv}</TextButton>
        )}
      </div>
      {resources.length === 0 ? (
        <p className="text-soft">{words.noRevenue}</p>
      ) : (
        <div className="max-h-96 overflow-y-auto">
          <table className="w-full">
            <ColumnTitles columns={COLUMNS} className="pb-1 text-left font-medium text-soft" />
            <tbody className="divide-y divide-line">
              {resources.map((one) => (
                <ResourceRow key={one.rid} one={one} most={most} currency={figures.currency} />
              ))}
            </tbody>
          </table>
        </div>
      )}
    </section>
  )
}

function ResourceRow({
  one: { name, net, sales },
  most,
  currency,
}: {
  one: ResourceFigures
  most: number
  currency: string
}): ReactNode {
  return (
    <tr>
      <th scope="row" className="w-full min-w-32 py-1.5 pr-4 text-left font-normal break-words">
        {name}
        <span
          aria-hidden
          className="mt-1 block h-1 rounded-full bg-accent"
          style={{ width: `${(Math.max(0, net.amount) / most) * 100}%` }}
        />
      </th>
      <td className="py-1.5 pr-4 text-right whitespace-nowrap tabular-nums max-sm:hidden">
        {formatNumber(sales)}
      </td>
      <td className="py-1.5 text-right whitespace-nowrap tabular-nums">
        <ListText list={net.list}>{formatMoney({ amount: net.amount, currency })}</ListText>
      </td>
    </tr>
  )
}

function exportResources({ resources, currency, range }: Figures): void {
  const header = [words.resource, words.payments, `${words.net}, ${currency}`]
  const rows = resources.map(({ name, sales, net }) => [name, sales, toMajor(net.amount, currency)])
  saveFile(`resources-${currency}-${range.first}-${range.last}.csv`, toCsv([header, ...rows]))
}
