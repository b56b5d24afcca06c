import { keys } from '../api.ts'
import type { Place } from '../place.ts'
import { queryClient } from '../query-client.ts'

/** Refetches all data of an application, because one change can affect many pages. */
export const refresh = ({ environment, aid }: Place): Promise<void> =>
  queryClient.invalidateQueries({ queryKey: keys.of(environment, aid) })
