const OVER = '[role=dialog], [role=alertdialog], [data-radix-focus-guard]'

/** What had the focus last of the page itself, which menus and dialogs lie over. */
let last: HTMLElement | undefined

/** A menu stands for its button, which a mouse opens without giving it the focus. */
function standsFor(target: Element): Element | null {
  const menu = target.closest('[role=menu]')
  return menu === null
    ? target
    : document.getElementById(menu.getAttribute('aria-labelledby') ?? '')
}

document.addEventListener('focusin', ({ target }) => {
  const owner = standsFor(target as Element)
  if (owner instanceof HTMLElement && owner.closest(OVER) === null) last = owner
})

/** For `onCloseAutoFocus`. Radix gives the focus back to a trigger, which a dialog opened by state has not.
 * Whoever is elsewhere by now stays there; where the opener is gone, the page's title is next. */
export function giveFocusBack(event: Event): void {
  event.preventDefault()
  if (document.activeElement !== document.body) return
  const target = last?.isConnected ? last : document.querySelector<HTMLElement>('h1')
  target?.focus()
}

/** For `onOpenAutoFocus`: whoever opens a form wants to type, and not to close it. */
export function focusFirstField(event: Event): void {
  const dialog = event.currentTarget as HTMLElement
  const field = dialog.querySelector<HTMLElement>(
    'input:not([type=hidden], [hidden]), textarea, select',
  )
  if (field === null) return
  event.preventDefault()
  field.focus()
}
