import { type Hit, type Me, OWNERS } from '@gatehouse/server/dashboard-api'
import { useQuery } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { get, keys } from '../api.ts'
import { type AppScope, useOptionalScope } from '../app-scope.ts'
import { appPages } from '../pages.tsx'
import { ridToSegment } from '../resource-path.ts'
import { texts } from '../texts.ts'
import { lastScope } from './last-scope.ts'
import { useMe } from './me.ts'
import { applicationActions, generalActions, type SearchAction } from './search-actions.ts'

export interface SearchHit extends SearchAction {
  kind: Hit['kind'] | 'page' | 'action'
  detail: string
}

const PAGE_OF = {
  person: 'people',
  resource: 'resources',
  payment: 'payments',
  subscription: 'subscriptions',
} as const

/** The page of a record; an access record is on the page of its person. */
function pathOfHit(scope: AppScope, { kind, id, uid }: Hit): string {
  if (kind === 'access') return scope.path('people', uid ?? '')
  return scope.path(PAGE_OF[kind], kind === 'resource' ? ridToSegment(id) : id)
}

function pagesFor(me: Me, scope: AppScope | undefined): SearchHit[] {
  const page = (title: string, to: string): SearchHit => ({
    key: to,
    kind: 'page',
    title,
    detail: '',
    to,
  })
  const { role } = me.staff
  const own = appPages.flatMap(({ path, nav, who }) =>
    nav && scope && (who === undefined || who.includes(role))
      ? [page(nav.label, scope.path(path))]
      : [],
  )
  const ofOwners = [
    page(texts.frame.team, '/team'),
    page(texts.frame.tokens, '/tokens'),
    page(texts.frame.audit, '/audit'),
  ]
  return [
    ...own,
    page(texts.frame.yourAccount, '/account'),
    page(texts.frame.notifications, '/account/notifications'),
    ...(OWNERS.includes(role) ? ofOwners : []),
  ]
}

/** The text, once typing has paused. */
function useDebounced(text: string): string {
  const [settled, setSettled] = useState(text)
  useEffect(() => {
    const timer = setTimeout(() => setSettled(text), 120)
    return () => clearTimeout(timer)
  }, [text])
  return settled
}

/** Finds pages and actions by name immediately, and records as soon as the server responds. */
export function useSearch(
  typed: string,
  showShortcuts: () => void,
): { hits: readonly SearchHit[]; settled: boolean } {
  const me = useMe()
  const scope = useOptionalScope() ?? lastScope(me)
  const text = typed.trim()
  const q = useDebounced(text)
  const { data, isFetching } = useQuery({
    queryKey: keys.of(scope?.environment ?? '', scope?.aid ?? '', 'find', q),
    queryFn: ({ signal }) => get<{ data: Hit[] }>(scope?.path('find') ?? '', { q }, signal),
    enabled: scope !== undefined && q !== '',
  })
  const wanted = text.toLowerCase()
  const isMeant = ({ title }: SearchAction) => title.toLowerCase().includes(wanted)
  const pages = pagesFor(me, scope).filter(isMeant)
  const toHits = (actions: readonly SearchAction[]) =>
    actions.filter(isMeant).map((it): SearchHit => ({ ...it, kind: 'action', detail: '' }))
  const actions = toHits(applicationActions(me, scope))
  const records = (q === '' || text === '' || !scope ? [] : (data?.data ?? [])).map(
    (hit): SearchHit => ({
      ...{ key: `${hit.kind} ${hit.id}`, kind: hit.kind, title: hit.title, detail: hit.detail },
      to: scope ? pathOfHit(scope, hit) : '/',
    }),
  )
  const others = toHits(generalActions(showShortcuts))
  return { hits: [...records, ...actions, ...pages, ...others], settled: text === q && !isFetching }
}
