import type { ReactNode } from 'react'
import { useEffect } from 'react'

let locks = 0

function lock(): () => void {
  locks++
  document.documentElement.dataset.locked = ''
  return () => {
    locks--
    if (locks === 0) delete document.documentElement.dataset.locked
  }
}

/** Keeps the page still behind what lies over it. Stands in for the package of that name: see vite.config.ts. */
export function RemoveScroll({ children }: { children: ReactNode }): ReactNode {
  useEffect(lock, [])
  return children
}
