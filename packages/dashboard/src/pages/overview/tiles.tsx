import type { ListLink, Overview } from '@gatehouse/server/dashboard-api'
import { Link } from '@tanstack/react-router'
import { ChevronRight } from 'lucide-react'
import type { ReactNode } from 'react'
import { useAppScope } from '../../app-scope.ts'
import { cx } from '../../components/cx.ts'
import { formatNumber } from '../../format.ts'
import { environmentOf, useMe } from '../../frame/me.ts'
import { texts } from '../../texts.ts'

/** Current numbers, each a link to its list. */
export function Tiles({ overview }: { overview: Overview }): ReactNode {
  const { environment } = useAppScope()
  const { delivery } = environmentOf(useMe(), environment)
  const { live, ending, renewing, failed_mails: mails } = overview
  const { failedMailsHint, noFailedMailsHint, keptMailsHint } = texts.overview
  const isFine = delivery === 'kept' ? keptMailsHint : noFailedMailsHint
  const mailsHint = mails.count > 0 ? failedMailsHint : isFine
  return (
    <div className="grid gap-4 sm:grid-cols-2 xl:grid-cols-4">
      <Tile
        label={texts.overview.live}
        hint={texts.overview.liveHint}
        value={live.count}
        list={live.list}
      />
      <Tile
        label={texts.overview.ending}
        hint={texts.overview.endingHint}
        value={ending.count}
        list={ending.list}
      />
      <Tile
        label={texts.overview.renewing}
        hint={texts.overview.renewingHint}
        value={renewing.count}
        list={renewing.list}
      />
      <Tile
        label={texts.overview.failedMails}
        hint={mailsHint}
        value={mails.count}
        list={mails.list}
        failed={mails.count > 0}
      />
    </div>
  )
}

interface Props {
  label: string
  hint: string
  value: number
  list: ListLink
  failed?: boolean
}

function Tile({ label, hint, value, list, failed = false }: Props): ReactNode {
  const { path } = useAppScope()
  return (
    <Link
      to={path(list.page)}
      search={list.query as never}
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
        {formatNumber(value)}
      </span>
      <span className="text-soft">{hint}</span>
    </Link>
  )
}
