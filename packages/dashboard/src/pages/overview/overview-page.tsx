import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { Link, useSearch } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import type { Overview } from '../../../../server/src/doors/dashboard/shapes-overview.ts'
import { get, keys } from '../../api.ts'
import { Page } from '../../frame/page.tsx'
import { cx } from '../../parts/cx.ts'
import { Notice } from '../../parts/notice.tsx'
import { Skeleton } from '../../parts/skeleton.tsx'
import { problemOf } from '../../parts/use-form.ts'
import { usePlace } from '../../place.ts'
import { texts } from '../../texts.ts'
import { FirstSteps } from './first-steps.tsx'
import { OverviewCharts } from './overview-charts.tsx'
import { Tiles } from './tiles.tsx'

const RANGES = [7, 30, 90] as const
type Range = (typeof RANGES)[number]

/** The address says how far back. */
function useRange(): Range {
  const { days } = useSearch({ strict: false }) as { days?: string }
  return RANGES.find((range) => String(range) === days) ?? 30
}

/** Nothing has come of it yet: there would be nothing but empty charts. */
const isNew = ({ live, grants, revokes, revenue }: Overview) =>
  live.count + grants.total + revokes.total + revenue.length === 0

export function OverviewPage(): ReactNode {
  const { environment, aid, path } = usePlace()
  const days = useRange()
  const { data, error, isPlaceholderData } = useQuery({
    queryKey: keys.of(environment, aid, 'overview', days),
    queryFn: ({ signal }) => get<Overview>(path('overview'), { days }, signal),
    placeholderData: keepPreviousData,
  })
  return (
    <Page title={texts.pages.overview} action={<RangeSwitch current={days} />}>
      {error && <Notice tone="failed">{problemOf(error)}</Notice>}
      {!data && !error && <Skeleton lines={6} />}
      {data && (
        <div
          aria-busy={isPlaceholderData}
          className={cx('grid gap-4 transition-opacity', isPlaceholderData && 'opacity-60')}
        >
          {isNew(data) && <FirstSteps />}
          <Tiles overview={data} />
          {!isNew(data) && (
            <>
              <OverviewCharts overview={data} />
              <p className="text-soft">{texts.overview.utc}</p>
            </>
          )}
        </div>
      )}
    </Page>
  )
}

function RangeSwitch({ current }: { current: Range }): ReactNode {
  return (
    <nav aria-label={texts.overview.range}>
      <ul className="flex gap-1 rounded-lg border border-line bg-card p-0.5">
        {RANGES.map((range) => (
          <li key={range}>
            <Link
              to="."
              search={{ days: String(range) } as never}
              aria-current={range === current ? 'true' : undefined}
              resetScroll={false}
              className={cx(
                'flex h-7 items-center rounded-md px-2.5 pointer-coarse:h-9',
                range === current
                  ? 'bg-tint font-medium text-accent-deep'
                  : 'text-soft hover:text-ink',
              )}
            >
              {texts.overview.days(range)}
            </Link>
          </li>
        ))}
      </ul>
    </nav>
  )
}
