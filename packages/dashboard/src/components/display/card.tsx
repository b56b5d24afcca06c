import type { ReactNode } from 'react'

interface Props {
  title?: string
  lead?: ReactNode
  /** To the right of the title. */
  action?: ReactNode
  children: ReactNode
}

/** A section of a page with its own heading. */
export function Card({ title, lead, action, children }: Props): ReactNode {
  return (
    <section className="grid min-w-0 content-start gap-4 rounded-xl border border-line bg-card p-4 shadow-card sm:p-5">
      {(title !== undefined || action !== undefined) && (
        <div className="flex flex-wrap items-center justify-between gap-x-4 gap-y-2">
          <h2 className="text-base font-semibold">{title}</h2>
          {action}
        </div>
      )}
      {lead !== undefined && <div className="-mt-2 text-soft">{lead}</div>}
      {children}
    </section>
  )
}
