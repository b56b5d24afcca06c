import { QueryClient } from '@tanstack/react-query'
import { ApiError } from './api.ts'

/** Retries once if the network may be to blame, and never after the server has refused. */
function again(failures: number, error: Error): boolean {
  return failures < 1 && (!(error instanceof ApiError) || error.status === 0)
}

export const queryClient = new QueryClient({
  defaultOptions: { queries: { retry: again, staleTime: 5_000 } },
})
