import { useSyncExternalStore } from 'react'

export type Theme = 'system' | 'light' | 'dark'

/** Also used in public/theme.js, which applies the theme before the first paint. */
const KEY = 'gatehouse.theme'
const root = document.documentElement
const listeners = new Set<() => void>()

function tell() {
  for (const listener of listeners) listener()
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

function readTheme(): Theme {
  const { theme } = root.dataset
  return theme === 'light' || theme === 'dark' ? theme : 'system'
}

export function useTheme(): Theme {
  return useSyncExternalStore(subscribe, readTheme)
}

/** Stores the theme in use again, after the browser has forgotten what it had stored. */
export const keepTheme = (): void => setTheme(readTheme())

export function setTheme(theme: Theme): void {
  if (theme === 'system') {
    delete root.dataset.theme
    localStorage.removeItem(KEY)
  } else {
    root.dataset.theme = theme
    localStorage.setItem(KEY, theme)
  }
  tell()
}
