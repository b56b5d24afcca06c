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

/** Keeps the page behind an overlay from scrolling. Replaces the package `react-remove-scroll`: see vite.config.ts. */
export function RemoveScroll({ children }: { children: ReactNode }): ReactNode {
  useEffect(lock, [])
  return children
}
