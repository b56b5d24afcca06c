import type { Colleague } from '@gatehouse/server/dashboard-api'
import { useQuery } from '@tanstack/react-query'
import { get, keys } from '../api.ts'
import { texts } from '../texts.ts'

const ONE_MINUTE = 60_000

/** All members of the team and all management tokens, disabled and revoked ones included; undefined until they are loaded. */
export function useColleagues(): readonly Colleague[] | undefined {
  const { data } = useQuery({
    queryKey: keys.staff('colleagues'),
    queryFn: ({ signal }) => get<{ data: Colleague[] }>('/colleagues', {}, signal),
    staleTime: ONE_MINUTE,
  })
  return data?.data
}

/** A member by name, and a program as `token CMS`. */
export const nameOf = (one: Colleague | undefined): string | undefined =>
  one?.is_token ? texts.team.token(one.name) : one?.name

const ACTOR = /^(?:staff|token):(.+)$/

/** Finds the name of the member behind `staff:ID`, or of the token behind `token:ID`; undefined for other actors, and until the names are loaded. */
export function useColleagueName(): (actor: string | null) => string | undefined {
  const colleagues = useColleagues()
  return (actor) => {
    const id = ACTOR.exec(actor ?? '')?.[1]
    return id === undefined ? undefined : nameOf(colleagues?.find((one) => one.id === id))
  }
}
