import { useRouter } from '@tanstack/react-router'
import { BASE } from '../base.ts'
import { queryClient } from '../query-client.ts'
import { wayBack } from '../safe-return-path.ts'

/** Call the result after a sign-in: it discards everything loaded before, then goes to the page. */
export function useEnter(back?: string): () => void {
  const router = useRouter()
  return () => {
    queryClient.clear()
    router.history.replace(`${BASE}${wayBack(back)}`)
  }
}
