import type { Count, Overview } from '@gatehouse/server/dashboard-api'
import { ChevronRight } from 'lucide-react'
import type { ReactNode } from 'react'
import { useAppScope } from '../../app-scope.ts'
import { cx } from '../../components/cx.ts'
import { formatNumber } from '../../format.ts'
import { environmentOf, useMe } from '../../frame/me.ts'
import { texts } from '../../texts.ts'
import { LinkToList } from './list-links.tsx'

const words = texts.overview

/** Current numbers, each a link to its list. */
export function Tiles({ overview }: { overview: Overview }): ReactNode {
  const { environment } = useAppScope()
  const { delivery } = environmentOf(useMe(), environment)
  const { live, ending, renewing, failed_mails: mails } = overview
  const noneFailedHint = delivery === 'kept' ? words.keptMailsHint : words.noFailedMailsHint
  const mailsHint = mails.count > 0 ? words.failedMailsHint : noneFailedHint
  return (
    <div className="grid gap-4 sm:grid-cols-2 xl:grid-cols-4">
      <Tile label={words.live} hint={words.liveHint} counted={live} />
      <Tile label={words.ending} hint={words.endingHint} counted={ending} />
      <Tile label={words.renewing} hint={words.renewingHint} counted={renewing} />
      <Tile label={words.failedMails} hint={mailsHint} counted={mails} failed={mails.count > 0} />
    </div>
  )
}

interface Props {
  label: string
  hint: string
  counted: Count
  failed?: boolean
}

function Tile({ label, hint, counted, failed = false }: Props): ReactNode {
  return (
    <LinkToList
      list={counted.list}
      className="group grid content-start rounded-xl border border-line bg-card p-4 shadow-card transition-colors hover:border-edge"
    >
      <span className="flex items-center justify-between gap-2 text-soft">
        {label}
        <ChevronRight size={16} aria-hidden className="shrink-0 group-hover:text-ink" />
      </span>
      <span
        className={cx(
          'text-3xl font-semibold tracking-tight tabular-nums',
          failed && 'text-failed',
        )}
      >
        {formatNumber(counted.count)}
      </span>
      <span className="text-soft">{hint}</span>
    </LinkToList>
  )
}
