import type { Count, MailItem, Overview, Page } from '@gatehouse/server/dashboard-api'
import { useQuery } from '@tanstack/react-query'
import { ChevronRight } from 'lucide-react'
import type { ReactNode } from 'react'
import { get, keys } from '../../api.ts'
import { useAppScope } from '../../app-scope.ts'
import { cx } from '../../components/cx.ts'
import { formatNumber } from '../../format.ts'
import { environmentOf, useMe } from '../../frame/me.ts'
import { texts } from '../../texts.ts'
import { LinkToList } from './list-links.tsx'

const words = texts.overview

/** Current numbers, each a link to its list. */
export function Tiles({ overview }: { overview: Overview }): ReactNode {
  const { live, ending, renewing, failed_mails: failed } = overview
  return (
    <div className="grid gap-4 sm:grid-cols-2 xl:grid-cols-4">
      <Tile label={words.live} hint={words.liveHint} counted={live} />
      <Tile label={words.ending} hint={words.endingHint} counted={ending} />
      <Tile label={words.renewing} hint={words.renewingHint} counted={renewing} />
      <MailsTile failed={failed} />
    </div>
  )
}

/** The emails that failed, or those that are not sent because no mail server is set up. */
function MailsTile({ failed }: { failed: Count }): ReactNode {
  const { environment } = useAppScope()
  const { delivery } = environmentOf(useMe(), environment)
  const isFailed = failed.count > 0
  if (delivery === 'kept' && !isFailed) return <KeptMailsTile />
  const hint = isFailed ? words.failedMailsHint : words.noFailedMailsHint
  return <Tile label={words.failedMails} hint={hint} counted={failed} failed={isFailed} />
}

function KeptMailsTile(): ReactNode {
  const { environment, aid, path } = useAppScope()
  const query = { status: 'kept' }
  const { data } = useQuery({
    queryKey: keys.of(environment, aid, 'mails', 'kept'),
    queryFn: ({ signal }) => get<Page<MailItem>>(path('mails'), { ...query, pagesize: 1 }, signal),
  })
  const counted = { count: data?.total, list: { page: 'mail', query } } as const
  return <Tile label={words.keptMails} hint={words.keptMailsHint} counted={counted} />
}

interface Props {
  label: string
  hint: string
  /** The count is undefined until it is loaded. */
  counted: Omit<Count, 'count'> & { count: number | undefined }
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
        {counted.count === undefined ? '–' : formatNumber(counted.count)}
      </span>
      <span className="text-soft">{hint}</span>
    </LinkToList>
  )
}
