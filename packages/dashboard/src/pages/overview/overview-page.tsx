import type { Figures, Overview } from '@gatehouse/server/dashboard-api'
import { useQuery } from '@tanstack/react-query'
import { Link, useSearch } from '@tanstack/react-router'
import { ChartColumn } from 'lucide-react'
import type { ReactNode } from 'react'
import { useAppScope } from '../../app-scope.ts'
import { buttonClass } from '../../components/button.tsx'
import { cx } from '../../components/cx.ts'
import { Card } from '../../components/display/card.tsx'
import { EmptyState } from '../../components/display/empty-state.tsx'
import { Notice } from '../../components/display/notice.tsx'
import { linkClass } from '../../components/display/record-links.tsx'
import { Skeleton } from '../../components/display/skeleton.tsx'
import { errorMessage } from '../../components/forms/use-form.ts'
import { counterpartScope } from '../../frame/last-scope.ts'
import { useMe } from '../../frame/me.ts'
import { Page } from '../../frame/page.tsx'
import { texts } from '../../texts.ts'
import { SetUpUntilDone } from '../set-up/set-up.tsx'
import { ActivityCard } from './activity-card.tsx'
import { AttentionList } from './attention.tsx'
import { FigureTiles } from './figure-tiles.tsx'
import { MovementsCard } from './movements-card.tsx'
import { type FiguresSearch, figuresQuery, overviewQuery } from './overview-query.ts'
import { CurrencySwitch, RangeLine, RangePicker } from './range-picker.tsx'
import { ResourcesCard } from './resources-card.tsx'
import { RevenueChart } from './revenue-chart.tsx'
import { StripeReads } from './stripe-reads.tsx'
import { Tiles } from './tiles.tsx'

export function OverviewPage(): ReactNode {
  const scope = useAppScope()
  const search: FiguresSearch = useSearch({ strict: false })
  const { data: now, error } = useQuery(overviewQuery(scope))
  const figures = useQuery(figuresQuery(scope, search))
  const isEmpty = now !== undefined && figures.data !== undefined && isNew(now, figures.data)
  return (
    <Page
      title={texts.pages.overview}
      action={
        !isEmpty && (
          <>
            {figures.data && <CurrencySwitch figures={figures.data} search={search} />}
            <RangePicker search={search} figures={figures.data} />
          </>
        )
      }
    >
      {error && <Notice tone="failed">{errorMessage(error)}</Notice>}
      {now && <AttentionList overview={now} />}
      {isEmpty && <SetUpUntilDone />}
      {figures.error && <Notice tone="failed">{errorMessage(figures.error)}</Notice>}
      {!figures.data && !figures.error && <Skeleton lines={6} />}
      {figures.data && !isEmpty && (
        <div
          aria-busy={figures.isPlaceholderData}
          className={cx('grid gap-4 transition-opacity', figures.isPlaceholderData && 'opacity-60')}
        >
          <RangeLine figures={figures.data} />
          <FigureTiles figures={figures.data} />
          <RevenueChart figures={figures.data} />
          <div className="grid items-start gap-4 lg:grid-cols-2">
            <MovementsCard figures={figures.data} />
            <ResourcesCard figures={figures.data} />
          </div>
        </div>
      )}
      {now && <Tiles overview={now} />}
      {now?.reads && <StripeReads usage={now.reads} />}
      {!isEmpty && figures.data && <SetUpUntilDone />}
      {isEmpty ? <NoSales /> : now && <ActivityCard items={now.activity} />}
    </Page>
  )
}

/** Whether nothing was ever paid, so that all figures would be zero. */
const isNew = ({ activity }: Overview, { revenue, subscribers, trials }: Figures) =>
  activity.length + revenue.sales + subscribers.end.count + trials.running.count === 0

function NoSales(): ReactNode {
  const { path } = useAppScope()
  const { empty, emptyText, emptyAction } = texts.figures
  return (
    <Card>
      <EmptyState
        icon={ChartColumn}
        title={empty}
        action={
          <Link to={path('resources')} className={buttonClass()}>
            {emptyAction}
          </Link>
        }
      >
        {emptyText}
        <SandboxHint />
      </EmptyState>
    </Card>
  )
}

/** A sale to try it out is made in the sandbox, and is not shown in production. */
function SandboxHint(): ReactNode {
  const scope = useAppScope()
  const sandbox = counterpartScope(useMe(), scope, 'sandbox')
  if (scope.environment === 'sandbox' || sandbox === undefined) return null
  return (
    <p className="mt-3">
      {texts.figures.emptyTrial}{' '}
      <Link to={sandbox.path('overview')} className={linkClass}>
        {texts.figures.openSandbox}
      </Link>
    </p>
  )
}
