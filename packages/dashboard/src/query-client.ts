import { QueryClient } from '@tanstack/react-query'
import { ApiError } from './api.ts'

/** Once more where the network may be to blame; a refusal stays one. */
function again(failures: number, error: Error): boolean {
  return failures < 1 && (!(error instanceof ApiError) || error.status === 0)
}

export const queryClient = new QueryClient({
  defaultOptions: { queries: { retry: again, staleTime: 5_000 } },
})
