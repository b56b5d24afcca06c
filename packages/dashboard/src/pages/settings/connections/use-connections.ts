import type { ConnectionsView } from '@gatehouse/server/dashboard-api'
import { queryOptions, useQuery, useQueryClient } from '@tanstack/react-query'
import { get, keys } from '../../../api.ts'
import { type EnvironmentName, useAppScope } from '../../../app-scope.ts'

export type ConnectionKind = 'payments' | 'mail'

export const connectionsPath = (environment: EnvironmentName, ...rest: readonly string[]) =>
  ['/connections', environment, ...rest].join('/')

const connectionsKey = (environment: EnvironmentName) => ['connections', environment] as const

const connectionsQuery = (environment: EnvironmentName) =>
  queryOptions({
    queryKey: connectionsKey(environment),
    queryFn: ({ signal }) => get<ConnectionsView>(connectionsPath(environment), {}, signal),
  })

export const useConnections = () => useQuery(connectionsQuery(useAppScope().environment))

/** Returns a function that shows changed connections everywhere: also the frame knows whether money and mail work. */
export function useAfterChange(): (view: ConnectionsView) => Promise<void> {
  const client = useQueryClient()
  const { environment, aid } = useAppScope()
  return async (view) => {
    client.setQueryData(connectionsKey(environment), view)
    await client.invalidateQueries({ queryKey: keys.me })
    await client.invalidateQueries({ queryKey: keys.of(environment, aid) })
  }
}
