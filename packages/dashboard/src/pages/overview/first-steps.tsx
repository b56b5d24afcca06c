import type { ResourcePage } from '@gatehouse/server/dashboard-api'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { Check } from 'lucide-react'
import type { ReactNode } from 'react'
import { get, keys } from '../../api.ts'
import { useAppScope } from '../../app-scope.ts'
import { buttonClass } from '../../components/button.tsx'
import { cx } from '../../components/cx.ts'
import { Card } from '../../components/display/card.tsx'
import { texts } from '../../texts.ts'

/** Shown while nobody has access yet: the steps to grant it. */
export function FirstSteps(): ReactNode {
  const { environment, aid, path } = useAppScope()
  const { data } = useQuery({
    queryKey: keys.of(environment, aid, 'resources', 'any'),
    queryFn: ({ signal }) => get<ResourcePage>(path('resources'), { pagesize: 1 }, signal),
  })
  if (data === undefined) return null
  const hasResource = data.total > 0
  const { resource, grant, protect } = texts.overview.steps
  return (
    <Card title={texts.overview.stepsTitle}>
      <ol className="grid gap-4 md:grid-cols-3">
        <Step
          at={1}
          {...resource}
          to={path('resources')}
          hash="new"
          isDone={hasResource}
          isNext={!hasResource}
        />
        <Step at={2} {...grant} to={path('access')} hash="grant" isNext={hasResource} />
        <Step at={3} {...protect} to={path('resources')} />
      </ol>
    </Card>
  )
}

interface Props {
  at: number
  title: string
  text: string
  action: string
  to: string
  /** The action that the target page starts with. */
  hash?: string
  isDone?: boolean
  isNext?: boolean
}

function Step({ isDone = false, isNext = false, ...step }: Props): ReactNode {
  const { at, title, text, action, to, hash } = step
  return (
    <li className="flex gap-3">
      <span
        className={cx(
          'grid size-7 shrink-0 place-items-center rounded-full text-xs font-semibold',
          isDone
            ? 'bg-live-tint text-live'
            : isNext
              ? 'bg-accent text-on-accent'
              : 'bg-hover text-soft',
        )}
      >
        {isDone ? <Check size={16} aria-label={texts.overview.done} /> : at}
      </span>
      <div className="grid content-start justify-items-start gap-1">
        <h3 className="leading-7 font-medium">{title}</h3>
        <p className="text-soft">{text}</p>
        {isNext && (
          <Link
            to={to}
            {...(hash === undefined ? {} : { hash })}
            className={cx(buttonClass('primary'), 'mt-1')}
          >
            {action}
          </Link>
        )}
      </div>
    </li>
  )
}
