import { useEffect } from 'react'

interface Actions {
  find: () => void
  showShortcuts: () => void
}

/** Whether keys are typed into this element, or it uses letters itself. */
const takesText = (target: EventTarget | null) =>
  target instanceof Element &&
  target.closest('input, textarea, select, [contenteditable], [role=menu]') !== null

const isDialogOpen = () => document.querySelector('[role=dialog], [role=alertdialog]') !== null

/** Moves the focus to the search field of the list, if the page has one. */
function focusListSearch(): boolean {
  const field = document.querySelector<HTMLInputElement>('main input[type=search]')
  field?.focus()
  field?.select()
  return field !== null
}

/** Handles ⌘K or Ctrl-K, and the single keys, which do nothing while somebody types or a dialog is open. */
export function useShortcuts({ find, showShortcuts }: Actions): void {
  useEffect(() => {
    const listen = (event: KeyboardEvent) => {
      const { key, metaKey, ctrlKey, altKey } = event
      if (key.toLowerCase() === 'k' && (metaKey || ctrlKey)) {
        event.preventDefault()
        find()
      } else if (!metaKey && !ctrlKey && !altKey && !takesText(event.target) && !isDialogOpen()) {
        if (key === '?') showShortcuts()
        else if (key !== '/' || !focusListSearch()) return
        event.preventDefault()
      }
    }
    addEventListener('keydown', listen)
    return () => removeEventListener('keydown', listen)
  })
}
