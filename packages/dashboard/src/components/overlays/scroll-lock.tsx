import type { ReactNode } from 'react'
import { useEffect } from 'react'

let locks = 0

const root = document.documentElement

function lock(): () => void {
  // Measured before the scroll bar goes, so that the page keeps its width: see tokens.css.
  if (locks === 0) root.style.setProperty('--scrollbar-width', `${innerWidth - root.clientWidth}px`)
  locks++
  root.dataset.locked = ''
  return () => {
    locks--
    if (locks > 0) return
    delete root.dataset.locked
    root.style.removeProperty('--scrollbar-width')
  }
}

/** Keeps the page behind an overlay from scrolling. Replaces the package `react-remove-scroll`: see vite.config.ts. */
export function RemoveScroll({ children }: { children: ReactNode }): ReactNode {
  useEffect(lock, [])
  return children
}
