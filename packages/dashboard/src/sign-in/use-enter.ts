import { useRouter } from '@tanstack/react-router'
import { BASE } from '../base.ts'
import { queryClient } from '../query-client.ts'
import { wayBack } from '../way-back.ts'

/** To call when somebody is signed in: nothing that was read before counts. */
export function useEnter(back?: string): () => void {
  const router = useRouter()
  return () => {
    queryClient.clear()
    router.history.replace(`${BASE}${wayBack(back)}`)
  }
}
