import { useQuery } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import type { Hit } from '../../../server/src/http/dashboard/people/schemas.ts'
import { OWNERS } from '../../../server/src/http/dashboard/route.ts'
import type { Me } from '../../../server/src/http/dashboard/staff/schemas.ts'
import { get, keys } from '../api.ts'
import { appPages } from '../pages.tsx'
import { type Place, useMaybePlace } from '../place.ts'
import { ridPart } from '../resource-path.ts'
import { texts } from '../texts.ts'
import { lastPlace } from './last-place.ts'
import { useMe } from './me.ts'

export interface Found {
  key: string
  kind: Hit['kind'] | 'page'
  title: string
  detail: string
  to: string
}

const PAGE_OF = {
  person: 'people',
  resource: 'resources',
  payment: 'payments',
  subscription: 'subscriptions',
} as const

/** The page of a record; an access record is on the page of its person. */
function addressOf(place: Place, { kind, id, uid }: Hit): string {
  if (kind === 'access') return place.path('people', uid ?? '')
  return place.path(PAGE_OF[kind], kind === 'resource' ? ridPart(id) : id)
}

function pagesFor(me: Me, place: Place | undefined): Found[] {
  const page = (title: string, to: string): Found => ({
    key: to,
    kind: 'page',
    title,
    detail: '',
    to,
  })
  const { role } = me.staff
  const own = appPages.flatMap(({ path, nav, who }) =>
    nav && place && (who === undefined || who.includes(role))
      ? [page(nav.label, place.path(path))]
      : [],
  )
  const ofOwners = [page(texts.frame.team, '/team'), page(texts.frame.audit, '/audit')]
  return [
    ...own,
    page(texts.frame.yourAccount, '/account'),
    ...(OWNERS.includes(role) ? ofOwners : []),
  ]
}

/** The text, once typing has paused. */
function useSettled(text: string): string {
  const [settled, setSettled] = useState(text)
  useEffect(() => {
    const timer = setTimeout(() => setSettled(text), 120)
    return () => clearTimeout(timer)
  }, [text])
  return settled
}

/** Finds pages by name immediately, and records as soon as the server responds. */
export function useFound(typed: string): { hits: readonly Found[]; settled: boolean } {
  const me = useMe()
  const place = useMaybePlace() ?? lastPlace(me)
  const text = typed.trim()
  const q = useSettled(text)
  const { data, isFetching } = useQuery({
    queryKey: keys.of(place?.environment ?? '', place?.aid ?? '', 'find', q),
    queryFn: ({ signal }) => get<{ data: Hit[] }>(place?.path('find') ?? '', { q }, signal),
    enabled: place !== undefined && q !== '',
  })
  const wanted = text.toLowerCase()
  const pages = pagesFor(me, place).filter(({ title }) => title.toLowerCase().includes(wanted))
  const records = (q === '' || text === '' || !place ? [] : (data?.data ?? [])).map(
    (hit): Found => ({
      ...{ key: `${hit.kind} ${hit.id}`, kind: hit.kind, title: hit.title, detail: hit.detail },
      to: place ? addressOf(place, hit) : '/',
    }),
  )
  return { hits: [...records, ...pages], settled: text === q && !isFetching }
}
