import type { SavedViewItem } from '@gatehouse/server/dashboard-api'
import { BookmarkPlus, ChevronDown } from 'lucide-react'
import { type ReactNode, useEffect, useState } from 'react'
import { texts } from '../../texts.ts'
import { Button } from '../button.tsx'
import { cx } from '../cx.ts'
import { IconButton } from '../icon-button.tsx'
import { Menu, type MenuItem } from '../overlays/menu.tsx'
import type { Filter } from './list-filters.tsx'
import type { ListState } from './list-state.ts'
import { RemoveViewDialog, RenameViewDialog, SaveViewDialog } from './saved-view-dialogs.tsx'
import type { Column } from './table-head.tsx'
import { useSavedViews } from './use-saved-views.ts'

interface Props {
  /** The name of the list. */
  list: string
  state: ListState
  filters: readonly Filter[]
  columns: readonly Pick<Column<never>, 'sort'>[]
}

/** In the URL: the list as it is, although it has a default view. */
const ALL = 'all'

type Search = Readonly<Record<string, string>>
type Asked = { what: 'save' } | { what: 'rename' | 'remove'; view: SavedViewItem }

/** The filters and the sort order in the URL, without the search text and the page. */
function currentOf({ state, filters, columns }: Props): Search {
  const names = [
    ...filters.map(({ name }) => name),
    ...(columns.some(({ sort }) => sort) ? ['sort'] : []),
  ]
  const set = names.flatMap((name) => {
    const value = state.search[name]
    return value === undefined ? [] : [[name, value] as const]
  })
  return Object.fromEntries(set)
}

const isSame = (a: Search, b: Search) =>
  Object.keys(a).length === Object.keys(b).length &&
  Object.entries(a).every(([name, value]) => b[name] === value)

/** The views that the member has saved of this list, as tabs; nothing if there are none and no filter is set. */
export function SavedViews(props: Props): ReactNode {
  const { list, state } = props
  const { views, change } = useSavedViews(list)
  const [asked, ask] = useState<Asked>()
  const current = currentOf(props)
  const open =
    views?.find(({ id }) => id === state.search.view) ??
    views?.find(({ search }) => isSame(search, current))
  useDefaultView(state, views)
  const hasFilters = Object.keys(current).length > 0
  const isNew = hasFilters && (open === undefined || !isSame(open.search, current))
  if (views === undefined || (views.length === 0 && !hasFilters)) return null
  return (
    <>
      <div className="flex flex-wrap items-center gap-x-1 gap-y-1">
        {views.length > 0 && (
          <nav aria-label={texts.views.label} className="flex min-w-0 flex-wrap items-center gap-1">
            <Tab
              isOpen={open === undefined && !hasFilters}
              onOpen={() => openView(state, undefined)}
            >
              {texts.views.all}
            </Tab>
            {views.map((view) => (
              <span key={view.id} className="flex min-w-0 items-center">
                <Tab isOpen={view === open} onOpen={() => openView(state, view)}>
                  {view.name}
                  {view === open && isNew && <span aria-hidden> •</span>}
                </Tab>
                {view === open && <ViewMenu {...{ view, isNew, ask, change, current }} />}
              </span>
            ))}
          </nav>
        )}
        {isNew && (
          <Button variant="quiet" icon={BookmarkPlus} onClick={() => ask({ what: 'save' })}>
            {texts.views.save}
          </Button>
        )}
      </div>
      {asked?.what === 'save' && (
        <SaveViewDialog
          list={list}
          search={current}
          onSaved={(view) => openView(state, view)}
          onClose={() => ask(undefined)}
        />
      )}
      {asked?.what === 'rename' && (
        <RenameViewDialog view={asked.view} onClose={() => ask(undefined)} />
      )}
      <RemoveViewDialog
        view={asked?.what === 'remove' ? asked.view : undefined}
        list={list}
        onRemoved={() => openView(state, undefined)}
        onClose={() => ask(undefined)}
      />
    </>
  )
}

/** Replaces everything in the URL. */
function openView({ search, change }: ListState, view: SavedViewItem | undefined, replace = false) {
  const none = Object.fromEntries(Object.keys(search).map((name) => [name, undefined]))
  change({ ...none, ...view?.search, view: view?.id ?? ALL }, { replace })
}

/** A list that is opened without any parameter shows the default view, if there is one. */
function useDefaultView(state: ListState, views: readonly SavedViewItem[] | undefined): void {
  const isBare = Object.keys(state.search).length === 0
  const chosen = views?.find((view) => view.is_default)
  // Once: a page that follows the URL renders again before the navigation ends, and a second one would replace the first.
  // biome-ignore lint/correctness/useExhaustiveDependencies: the state changes with every render, and must not open it again.
  useEffect(() => {
    if (isBare && chosen) openView(state, chosen, true)
  }, [isBare, chosen?.id])
}

interface TabProps {
  isOpen: boolean
  onOpen: () => void
  children: ReactNode
}

function Tab({ isOpen, onOpen, children }: TabProps): ReactNode {
  return (
    <button
      type="button"
      onClick={onOpen}
      {...(isOpen ? { 'aria-current': 'page' } : {})}
      className={cx(
        'max-w-60 min-w-0 truncate rounded-md px-2.5 py-1.5 font-medium',
        isOpen ? 'bg-tint text-ink' : 'text-soft hover:bg-hover hover:text-ink',
      )}
    >
      {children}
    </button>
  )
}

interface MenuProps {
  view: SavedViewItem
  isNew: boolean
  current: Search
  ask: (asked: Asked) => void
  change: ReturnType<typeof useSavedViews>['change']
}

function ViewMenu({ view, isNew, current, ask, change }: MenuProps): ReactNode {
  const words = texts.views
  const items: MenuItem[] = [
    ...(isNew
      ? [
          {
            label: words.update,
            onSelect: () => void change(view, { search: current }, words.updated(view.name)),
          },
        ]
      : []),
    { label: words.rename, onSelect: () => ask({ what: 'rename', view }) },
    {
      label: view.is_default ? words.noDefault : words.makeDefault,
      onSelect: () =>
        void change(
          view,
          { is_default: !view.is_default },
          view.is_default ? words.isNoDefault : words.isDefault(view.name),
        ),
    },
    {
      label: words.remove,
      danger: true,
      apart: true,
      onSelect: () => ask({ what: 'remove', view }),
    },
  ]
  return (
    <Menu groups={[{ items }]} align="start">
      <IconButton icon={ChevronDown} label={words.menu(view.name)} />
    </Menu>
  )
}
