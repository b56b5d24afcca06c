import { useLocation, useNavigate } from '@tanstack/react-router'
import { useEffect } from 'react'

/** Runs an action when the URL asks for it, such as `#new`. Only once: the hash is removed, so that a reload or going
 * back shows just the page. */
export function useHashAction(name: string, run: () => void): void {
  const { hash } = useLocation()
  const navigate = useNavigate()
  // biome-ignore lint/correctness/useExhaustiveDependencies: runs when the URL changes.
  useEffect(() => {
    if (hash !== name) return
    run()
    void navigate({ to: '.', search: true as never, hash: '', replace: true })
  }, [hash])
}
