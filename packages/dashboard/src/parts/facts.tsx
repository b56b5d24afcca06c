import type { ReactNode } from 'react'

export interface Fact {
  label: string
  value: ReactNode
}

/** What is known of a record; what is false is left out. */
export function Facts({ facts }: { facts: readonly (Fact | false)[] }): ReactNode {
  return (
    <dl className="grid gap-x-4 gap-y-2.5 sm:grid-cols-[9rem_minmax(0,1fr)]">
      {facts.map(
        (fact) =>
          fact && (
            <div key={fact.label} className="contents">
              <dt className="text-soft max-sm:-mb-2">{fact.label}</dt>
              <dd className="min-w-0">{fact.value}</dd>
            </div>
          ),
      )}
    </dl>
  )
}
