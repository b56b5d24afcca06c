import { keys } from '../api.ts'
import type { AppScope } from '../app-scope.ts'
import { queryClient } from '../query-client.ts'

/** Refetches all data of an application, because one change can affect many pages. */
export const refetchApplication = ({ environment, aid }: AppScope): Promise<void> =>
  queryClient.invalidateQueries({ queryKey: keys.of(environment, aid) })
