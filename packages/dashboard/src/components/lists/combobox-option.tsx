import type { ReactNode } from 'react'
import { cx } from '../cx.ts'

export interface OptionProps {
  id: string
  isSelected: boolean
  onClick: () => void
  onPointerMove: () => void
  /** Replaces the look of a single line of text. */
  className?: string
  children: ReactNode
}

/** An option in the list below a text box that chooses with the arrow keys. */
export function ComboboxOption({
  isSelected,
  className = 'truncate rounded-md px-2 py-1.5',
  ...rest
}: OptionProps): ReactNode {
  return (
    // biome-ignore lint/a11y/useFocusableInteractive: the focus stays in the text box, which also handles the keys.
    <div
      role="option"
      aria-selected={isSelected}
      className={cx('cursor-pointer aria-selected:bg-hover', className)}
      {...rest}
    />
  )
}
