const OVER = '[role=dialog], [role=alertdialog], [data-radix-focus-guard]'

/** The element of the page itself, not of a menu or dialog, that had the focus last. */
let last: HTMLElement | undefined

/** Maps a menu to its button, which does not get the focus when it is opened with a mouse. */
function triggerOf(target: Element): Element | null {
  const menu = target.closest('[role=menu]')
  return menu === null
    ? target
    : document.getElementById(menu.getAttribute('aria-labelledby') ?? '')
}

document.addEventListener('focusin', ({ target }) => {
  const owner = triggerOf(target as Element)
  if (owner instanceof HTMLElement && owner.closest(OVER) === null) last = owner
})

/** For `onCloseAutoFocus`. Radix returns the focus to the trigger, but a dialog opened by state has none. If the focus
 * has already moved, it stays there; if the opener is gone, the page's title gets it. */
export function restoreFocus(event: Event): void {
  event.preventDefault()
  if (document.activeElement !== document.body) return
  const target = last?.isConnected ? last : document.querySelector<HTMLElement>('h1')
  target?.focus()
}

/** For `onOpenAutoFocus`: focuses the first field, or the button that is the answer, where Radix might choose the close
 * button. */
export function focusFirstField(event: Event): void {
  const dialog = event.currentTarget as HTMLElement
  const field = dialog.querySelector<HTMLElement>(
    'input:not([type=hidden], [hidden]), textarea, select, [data-answer]',
  )
  if (field === null) return
  event.preventDefault()
  field.focus()
}
