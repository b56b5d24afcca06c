import { useLocation, useNavigate } from '@tanstack/react-router'
import { useEffect, useState } from 'react'

/** Whether the address asks a page to begin with something, as `#new` does. Only once: whoever loads it again
 * or comes back finds the page alone. */
export function useWish(name: string): boolean {
  const { hash } = useLocation()
  const navigate = useNavigate()
  const [asked] = useState(hash === name)
  // biome-ignore lint/correctness/useExhaustiveDependencies: when the page is opened.
  useEffect(() => {
    if (asked) void navigate({ to: '.', search: true as never, hash: '', replace: true })
  }, [])
  return asked
}
