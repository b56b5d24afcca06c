import type { Figures, ListLink } from '@gatehouse/server/dashboard-api'
import type { ReactNode } from 'react'
import { Defined } from '../../components/display/defined.tsx'
import { formatMoney, formatNumber } from '../../format.ts'
import { texts } from '../../texts.ts'
import { LinkToList, ListText } from './list-links.tsx'
import { formatSpan } from './range-picker.tsx'

const words = texts.figures

/** The four figures that a publisher asks for first. */
export function FigureTiles({ figures }: { figures: Figures }): ReactNode {
  const { revenue, subscribers, currency } = figures
  const money = (amount: number) => formatMoney({ amount, currency })
  const { start, end } = subscribers
  return (
    <div className="grid gap-4 sm:grid-cols-2 xl:grid-cols-4">
      <FigureTile figure="net" value={money(revenue.net)} list={revenue.taken.list}>
        {compareNet(figures)}
      </FigureTile>
      <FigureTile figure="mrr" value={money(end.monthly)} list={end.list}>
        {describeChange(end.monthly - start.monthly, money)}
      </FigureTile>
      <FigureTile figure="subscribers" value={formatNumber(end.count)} list={end.list}>
        {describeChange(end.count - start.count, formatNumber)}
      </FigureTile>
      <TrialsTile figures={figures} />
    </div>
  )
}

const signed = (value: number, format: (value: number) => string) =>
  `${value < 0 ? '−' : '+'}${format(Math.abs(value))}`

const describeChange = (value: number, format: (value: number) => string) =>
  value === 0 ? words.noChange : words.sinceStart(signed(value, format))

/** A percentage needs something to compare with. */
function compareNet({ revenue: { net, previous_net: before }, previous, currency }: Figures) {
  const money = (amount: number) => formatMoney({ amount, currency })
  if (net === before) return words.same(formatSpan(previous))
  const percent = Math.round(((net - before) / before) * 100)
  const difference =
    before > 0 && percent !== 0
      ? signed(percent, (value) => `${formatNumber(value)}%`)
      : signed(net - before, money)
  return words.against(difference, money(before), formatSpan(previous))
}

function TrialsTile({ figures: { trials } }: { figures: Figures }): ReactNode {
  const { running, started, converted, lost } = trials
  const decided = converted.count + lost.count
  const rate = decided === 0 ? '–' : `${Math.round((converted.count / decided) * 100)}%`
  return (
    <FigureTile figure="conversion" value={rate} list={converted.list}>
      {decided === 0 ? words.noTrials : words.trialsOf(converted.count, decided)}
      <span className="block">
        <ListText list={started.list}>{words.trialsStarted(formatNumber(started.count))}</ListText>
        {' · '}
        <ListText list={lost.list}>{words.trialsLost(formatNumber(lost.count))}</ListText>
        {' · '}
        <ListText list={running.list}>{words.trialsRunning(formatNumber(running.count))}</ListText>
      </span>
    </FigureTile>
  )
}

interface TileProps {
  figure: 'net' | 'mrr' | 'subscribers' | 'conversion'
  value: string
  list: ListLink
  children: ReactNode
}

function FigureTile({ figure, value, list, children }: TileProps): ReactNode {
  const name = words[figure]
  return (
    <div className="relative grid content-start gap-0.5 rounded-xl border border-line bg-card p-4 shadow-card">
      <h2 className="text-soft">
        <Defined definition={words.definitions[figure]}>{name}</Defined>
      </h2>
      <LinkToList
        list={list}
        aria-label={words.openList(name, value)}
        className="justify-self-start text-2xl font-semibold tracking-tight tabular-nums hover:underline"
      >
        {value}
      </LinkToList>
      <div className="text-soft">{children}</div>
    </div>
  )
}
