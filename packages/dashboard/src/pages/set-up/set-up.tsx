import {
  DEVELOPERS,
  EDITORS,
  OWNERS,
  type Role,
  type SetUpItem,
  type SetUpView,
} from '@gatehouse/server/dashboard-api'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { Check, Circle } from 'lucide-react'
import type { ReactNode } from 'react'
import { get, keys } from '../../api.ts'
import { type AppScope, createAppScope, useAppScope } from '../../app-scope.ts'
import { buttonClass } from '../../components/button.tsx'
import { cx } from '../../components/cx.ts'
import { Card } from '../../components/display/card.tsx'
import { linkClass } from '../../components/display/record-links.tsx'
import { useApplication, useHasRole } from '../../frame/me.ts'
import { texts } from '../../texts.ts'
import { hasSettingsTab } from '../settings/settings-tabs.ts'

const words = texts.setUp

/** Where each item is done, and by whom. */
const PLACES: Readonly<
  Record<SetUpItem, { to: (scope: AppScope) => string; who: readonly Role[] }>
> = {
  payments: { to: ({ path }) => path('settings', 'payments'), who: OWNERS },
  mail: { to: ({ path }) => path('settings', 'mail'), who: OWNERS },
  seller: { to: ({ path }) => path('settings'), who: DEVELOPERS },
  logo: { to: ({ path }) => path('settings', 'brand'), who: DEVELOPERS },
  price: { to: ({ path }) => path('resources'), who: EDITORS },
  sale: { to: ({ path }) => path('resources'), who: EDITORS },
  colleague: { to: () => '/team', who: OWNERS },
}

/** The items of the checklist whose place exists. */
function useSetUp() {
  const { environment, aid, path } = useAppScope()
  const { data } = useQuery({
    queryKey: keys.of(environment, aid, 'set-up'),
    queryFn: ({ signal }) => get<SetUpView>(path('set-up'), {}, signal),
  })
  if (!data) return undefined
  const items = data.items.filter(({ item }) => item !== 'logo' || hasSettingsTab('brand'))
  return { items, hasResource: data.has_resource }
}

/** The checklist on the overview: it stays until everything is done. */
export function SetUpUntilDone(): ReactNode {
  const setUp = useSetUp()
  return setUp?.items.some(({ is_done }) => !is_done) ? <SetUpCard {...setUp} /> : null
}

/** The checklist under the settings, also when everything is done. */
export function SetUpList(): ReactNode {
  const setUp = useSetUp()
  return setUp ? <SetUpCard {...setUp} /> : null
}

interface CardProps {
  items: SetUpView['items']
  hasResource: boolean
}

function SetUpCard({ items, hasResource }: CardProps): ReactNode {
  const done = items.filter(({ is_done }) => is_done).length
  const isComplete = done === items.length
  const next = items.find(({ is_done }) => !is_done)?.item
  return (
    <Card
      title={words.title}
      lead={isComplete ? words.complete : words.lead}
      action={<span className="text-soft">{words.progress(done, items.length)}</span>}
    >
      <ol className="divide-y divide-line">
        {items.map(({ item, is_done }) => (
          <Item
            key={item}
            item={item}
            isDone={is_done}
            isNext={item === next}
            isFirst={item === 'price' && !hasResource}
          />
        ))}
      </ol>
      {!isComplete && <CopyHint />}
    </Card>
  )
}

/** Much of it may be done in the sandbox already. */
function CopyHint(): ReactNode {
  const { environment, path } = useAppScope()
  const canCopy = useHasRole(DEVELOPERS)
  const paired = useApplication()?.paired_with
  if (environment !== 'production' || !canCopy) return null
  const from = paired ? createAppScope('sandbox', paired).path : path
  return (
    <p className="text-soft">
      {texts.copying.setUp}{' '}
      <Link to={from('settings', 'copy')} className={linkClass}>
        {texts.copying.setUpLink}
      </Link>
    </p>
  )
}

interface ItemProps {
  item: SetUpItem
  isDone: boolean
  isNext: boolean
  /** Whether it begins with the first resource. */
  isFirst: boolean
}

function Item({ item, isDone, isNext, isFirst }: ItemProps): ReactNode {
  const scope = useAppScope()
  const { to, who } = PLACES[item]
  const canDo = useHasRole(who)
  const { title, text, action } = words.items[item]
  return (
    <li className="flex flex-wrap items-center gap-x-3 gap-y-2 py-2.5 first:pt-0 last:pb-0">
      <span
        className={cx(
          'grid size-6 shrink-0 place-items-center rounded-full',
          isDone ? 'bg-live-tint text-live' : 'bg-hover text-soft',
        )}
      >
        {isDone ? (
          <Check size={14} aria-label={words.done} />
        ) : (
          <Circle size={8} aria-label={words.toDo} />
        )}
      </span>
      <div className="min-w-0 flex-1 basis-52">
        <h3 className={cx('font-medium', isDone && 'text-soft')}>{title}</h3>
        {!isDone && <p className="text-soft">{text}</p>}
        {!isDone && !canDo && (
          <p className="text-soft">{who === OWNERS ? words.askOwner : words.askEditor}</p>
        )}
      </div>
      {!isDone && canDo && (
        <Link
          to={to(scope)}
          {...(isFirst ? { hash: 'new' } : {})}
          className={cx(buttonClass(isNext ? 'primary' : 'plain'), 'max-sm:ml-9')}
        >
          {isFirst ? words.createResource : action}
        </Link>
      )}
    </li>
  )
}
