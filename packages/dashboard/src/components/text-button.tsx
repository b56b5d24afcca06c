import type { ReactNode } from 'react'

/** A button that looks like a link, for a small action beside a heading. */
export function TextButton({
  onClick,
  children,
}: {
  onClick: () => void
  children: ReactNode
}): ReactNode {
  return (
    <button
      type="button"
      onClick={onClick}
      className="min-h-6 text-accent underline underline-offset-2 pointer-coarse:min-h-9"
    >
      {children}
    </button>
  )
}
