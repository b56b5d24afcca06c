import type { Figures } from '@gatehouse/server/dashboard-api'
import type { ReactNode } from 'react'
import { cx } from '../../components/cx.ts'
import { Card } from '../../components/display/card.tsx'
import { ColumnTitles } from '../../components/display/column-titles.tsx'
import { Defined } from '../../components/display/defined.tsx'
import { formatMoney, formatNumber } from '../../format.ts'
import { texts } from '../../texts.ts'
import { ListText } from './list-links.tsx'

const words = texts.figures

const COLUMNS = [
  { title: words.movement, isHidden: true },
  { title: words.subscribers, className: 'text-right' },
  { title: words.mrr, className: 'text-right' },
]

const ROWS = ['start', 'new', 'back', 'left', 'end'] as const
type Row = (typeof ROWS)[number]

const SIGNS: Record<Row, '' | '+' | '−'> = { start: '', new: '+', back: '+', left: '−', end: '' }

/** The change in subscribers over the range: the number at the start, new ones, those who came back, those who left,
 * and the number at the end. */
export function MovementsCard({ figures }: { figures: Figures }): ReactNode {
  return (
    <Card title={words.movements}>
      <table className="w-full">
        <ColumnTitles columns={COLUMNS} className="pb-1 text-left font-medium text-soft" />
        <tbody className="divide-y divide-line">
          {ROWS.map((row) => (
            <MovementRow key={row} row={row} figures={figures} />
          ))}
        </tbody>
      </table>
    </Card>
  )
}

function MovementRow({ row, figures }: { row: Row; figures: Figures }): ReactNode {
  const { count, monthly, list } = figures.subscribers[row]
  const money = formatMoney({ amount: monthly, currency: figures.currency })
  const isTotal = row === 'start' || row === 'end'
  const sign = count === 0 ? '' : SIGNS[row]
  return (
    <tr className={cx('relative', isTotal && 'font-medium')}>
      <th scope="row" className={cx('py-1.5 text-left', !isTotal && 'font-normal')}>
        {isTotal ? words[row] : <Defined definition={words.definitions[row]}>{words[row]}</Defined>}
      </th>
      <td className="py-1.5 text-right tabular-nums">
        <ListText list={list}>{`${sign}${formatNumber(count)}`}</ListText>
      </td>
      <td className="py-1.5 text-right tabular-nums">{`${monthly === 0 ? '' : SIGNS[row]}${money}`}</td>
    </tr>
  )
}
