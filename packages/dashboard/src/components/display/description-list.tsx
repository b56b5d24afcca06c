import type { ReactNode } from 'react'

export interface DescriptionItem {
  label: string
  value: ReactNode
}

/** A list of labeled values; false entries are left out. */
export function DescriptionList({
  facts,
}: {
  facts: readonly (DescriptionItem | false)[]
}): ReactNode {
  return (
    // The negative margins keep buttons next to a value from making its line taller.
    <dl className="grid gap-x-6 gap-y-2.5 sm:grid-cols-[fit-content(9rem)_minmax(0,1fr)] [&_button]:-my-1.5 pointer-coarse:[&_button]:-my-2.5">
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
