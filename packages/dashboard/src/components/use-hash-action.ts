import { useLocation, useNavigate } from '@tanstack/react-router'
import { useEffect, useState } from 'react'

/** Whether the URL asks the page to start with an action, such as `#new`. Only once: the hash is removed, so that a
 * reload or going back shows just the page. */
export function useHashAction(name: string): boolean {
  const { hash } = useLocation()
  const navigate = useNavigate()
  const [asked] = useState(hash === name)
  // biome-ignore lint/correctness/useExhaustiveDependencies: runs when the page opens.
  useEffect(() => {
    if (asked) void navigate({ to: '.', search: true as never, hash: '', replace: true })
  }, [])
  return asked
}
