import { keys } from '../api.ts'
import type { Place } from '../place.ts'
import { queryClient } from '../query-client.ts'

/** Reads all of an application anew: one change shows on many pages. */
export const refresh = ({ environment, aid }: Place): Promise<void> =>
  queryClient.invalidateQueries({ queryKey: keys.of(environment, aid) })
