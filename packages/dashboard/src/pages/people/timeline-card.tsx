import type { Timeline, TimelineItem } from '@gatehouse/server/dashboard-api'
import { useInfiniteQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import {
  CircleSlash,
  Clock,
  CreditCard,
  Download,
  KeyRound,
  type LucideIcon,
  Mail,
  Pencil,
  Undo2,
} from 'lucide-react'
import type { ReactNode } from 'react'
import { get, keys } from '../../api.ts'
import { type AppScope, useAppScope } from '../../app-scope.ts'
import { Button } from '../../components/button.tsx'
import { Card } from '../../components/display/card.tsx'
import { Notice } from '../../components/display/notice.tsx'
import { Skeleton } from '../../components/display/skeleton.tsx'
import { TimeInWords } from '../../components/display/time-in-words.tsx'
import { errorMessage } from '../../components/forms/use-form.ts'
import { useMe, useNow, useTimeZone } from '../../frame/me.ts'
import { useColleagueName } from '../../frame/use-colleagues.ts'
import { texts } from '../../texts.ts'
import { describeActor, describeTimelineItem, type ResourceNameOf } from './timeline-text.ts'

const PAGESIZE = 25

function useTimeline(uid: string) {
  const { environment, aid, path } = useAppScope()
  return useInfiniteQuery({
    queryKey: keys.of(environment, aid, 'people', uid, 'timeline'),
    queryFn: ({ pageParam, signal }) =>
      get<Timeline>(
        path('people', uid, 'timeline'),
        { page: pageParam, pagesize: PAGESIZE },
        signal,
      ),
    initialPageParam: 0,
    getNextPageParam: ({ page, total }) => ((page + 1) * PAGESIZE < total ? page + 1 : undefined),
  })
}

/** Everything that happened to one person, newest first. */
export function TimelineCard({ uid, nameOf }: { uid: string; nameOf: ResourceNameOf }): ReactNode {
  const { data, error, hasNextPage, fetchNextPage, isFetchingNextPage } = useTimeline(uid)
  const items = data?.pages.flatMap((page) => page.data) ?? []
  return (
    <Card title={texts.people.timeline}>
      {error && <Notice tone="failed">{errorMessage(error)}</Notice>}
      {!data && !error && <Skeleton lines={6} />}
      {data && items.length === 0 && <p className="text-soft">{texts.people.noTimeline}</p>}
      <ol className="grid">
        {items.map((item, at) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: past items don't change, and have no ids.
          <Line key={`${item.at} ${item.kind} ${at}`} item={item} nameOf={nameOf} />
        ))}
      </ol>
      {hasNextPage && (
        <div>
          <Button busy={isFetchingNextPage} onClick={() => void fetchNextPage()}>
            {texts.people.earlier}
          </Button>
        </div>
      )}
    </Card>
  )
}

const ICONS: Record<TimelineItem['kind'], LucideIcon> = {
  change: KeyRound,
  expired: Clock,
  payment: CreditCard,
  refund: Undo2,
  mail: Mail,
  download: Download,
}

function iconOf({ kind, what, rid }: TimelineItem): LucideIcon {
  if (kind === 'change' && rid === null) return Pencil
  return what === 'revoked' ? CircleSlash : ICONS[kind]
}

/** The page with more details. */
function detailsPath(
  { path }: AppScope,
  { payment_id, mail_id }: TimelineItem,
): string | undefined {
  if (payment_id !== null) return path('payments', payment_id)
  return mail_id === null ? undefined : path('mail', mail_id)
}

function Line({ item, nameOf }: { item: TimelineItem; nameOf: ResourceNameOf }): ReactNode {
  const now = useNow()
  const scope = useAppScope()
  const who = describeActor(item.actor, useMe().staff.id, useColleagueName())
  const to = detailsPath(scope, item)
  const Icon = iconOf(item)
  const text = describeTimelineItem(item, nameOf, useTimeZone(), who)
  return (
    <li className="relative flex gap-3 pb-4 last:pb-0 not-last:before:absolute not-last:before:top-7 not-last:before:bottom-0 not-last:before:left-3.5 not-last:before:w-px not-last:before:bg-line">
      <span className="grid size-7 shrink-0 place-items-center rounded-full bg-hover text-soft">
        <Icon size={14} aria-hidden />
      </span>
      <div className="min-w-0 pt-1">
        <p>
          {to === undefined ? (
            text
          ) : (
            <Link
              to={to}
              className="underline decoration-line underline-offset-2 hover:decoration-current"
            >
              {text}
            </Link>
          )}
        </p>
        <p className="text-xs text-soft">
          <TimeInWords at={item.at * 1000} now={now} />
        </p>
        {item.steps.length > 0 && <Steps steps={item.steps} nameOf={nameOf} />}
      </div>
    </li>
  )
}

/** The steps of a refund, folded away. */
function Steps({
  steps,
  nameOf,
}: {
  steps: readonly TimelineItem[]
  nameOf: ResourceNameOf
}): ReactNode {
  const now = useNow()
  const zone = useTimeZone()
  return (
    <details className="mt-1 text-soft">
      <summary className="w-fit py-0.5 hover:text-ink">{texts.people.steps(steps.length)}</summary>
      <ol className="mt-1 grid gap-1">
        {steps.map((step, at) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: past items don't change, and have no ids.
          <li key={`${step.at} ${at}`}>
            {describeTimelineItem(step, nameOf, zone)} ·{' '}
            <TimeInWords at={step.at * 1000} now={now} />
          </li>
        ))}
      </ol>
    </details>
  )
}
