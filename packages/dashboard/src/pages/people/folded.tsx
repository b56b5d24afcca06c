import type { ReactNode } from 'react'

/** The part of a person's card that is rarely asked for, folded below the rest. */
export function Folded({ title, children }: { title: string; children: ReactNode }): ReactNode {
  return (
    <details className="border-t border-line pt-3">
      <summary className="py-0.5 text-soft hover:text-ink">{title}</summary>
      {children}
    </details>
  )
}
