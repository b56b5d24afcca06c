import type { Overview } from '@gatehouse/server/dashboard-api'
import { useQuery } from '@tanstack/react-query'
import { Link, useSearch } from '@tanstack/react-router'
import { lazy, type ReactNode, Suspense } from 'react'
import { useAppScope } from '../../app-scope.ts'
import { cx } from '../../components/cx.ts'
import { Notice } from '../../components/display/notice.tsx'
import { Skeleton } from '../../components/display/skeleton.tsx'
import { errorMessage } from '../../components/forms/use-form.ts'
import { Page } from '../../frame/page.tsx'
import { texts } from '../../texts.ts'
import { SetUpUntilDone } from '../set-up/set-up.tsx'
import { AttentionList } from './attention.tsx'
import { overviewQuery, RANGES, type Range, rangeIn } from './overview-query.ts'
import { Tiles } from './tiles.tsx'

/** Loaded after the numbers, which are what people come for. */
const OverviewCharts = lazy(() =>
  import('./overview-charts.tsx').then(
    (charts) => ({ default: charts.OverviewCharts }),
    // The script is gone after an upgrade of the service; the numbers stay.
    () => ({ default: () => null }),
  ),
)

/** Nothing has happened yet, so all charts would be empty. */
const isNew = ({ live, grants, revokes, revenue }: Overview) =>
  live.count + grants.total + revokes.total + revenue.length === 0

export function OverviewPage(): ReactNode {
  const days = rangeIn(useSearch({ strict: false }))
  const { data, error, isPlaceholderData } = useQuery(overviewQuery(useAppScope(), days))
  return (
    <Page title={texts.pages.overview} action={<RangeSwitch current={days} />}>
      {error && <Notice tone="failed">{errorMessage(error)}</Notice>}
      {!data && !error && <Skeleton lines={6} />}
      {data && (
        <div
          aria-busy={isPlaceholderData}
          className={cx('grid gap-4 transition-opacity', isPlaceholderData && 'opacity-60')}
        >
          <AttentionList items={data.attention} />
          <SetUpUntilDone />
          <Tiles overview={data} />
          {!isNew(data) && (
            <>
              <Suspense fallback={<Skeleton lines={6} />}>
                <OverviewCharts overview={data} />
              </Suspense>
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
