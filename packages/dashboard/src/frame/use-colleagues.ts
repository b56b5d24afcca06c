import type { Colleague } from '@gatehouse/server/dashboard-api'
import { useQuery } from '@tanstack/react-query'
import { get, keys } from '../api.ts'

const ONE_MINUTE = 60_000

/** All members of the team, disabled ones included; undefined until they are loaded. */
export function useColleagues(): readonly Colleague[] | undefined {
  const { data } = useQuery({
    queryKey: keys.staff('colleagues'),
    queryFn: ({ signal }) => get<{ data: Colleague[] }>('/colleagues', {}, signal),
    staleTime: ONE_MINUTE,
  })
  return data?.data
}

const STAFF = /^staff:(.+)$/

/** Finds the name of the member behind `staff:ID`; undefined for other actors, and until the names are loaded. */
export function useColleagueName(): (actor: string | null) => string | undefined {
  const colleagues = useColleagues()
  return (actor) => {
    const id = STAFF.exec(actor ?? '')?.[1]
    return id === undefined ? undefined : colleagues?.find((one) => one.id === id)?.name
  }
}
