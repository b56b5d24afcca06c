import { useRouter } from '@tanstack/react-router'
import { BASE_PATH } from '../base-path.ts'
import { queryClient } from '../query-client.ts'
import { safeReturnPath } from '../safe-return-path.ts'

/** Call the result after a sign-in: it discards everything loaded before, then goes to the page. */
export function useAfterSignIn(back?: string): () => void {
  const router = useRouter()
  return () => {
    queryClient.clear()
    router.history.replace(`${BASE_PATH}${safeReturnPath(back)}`)
  }
}
