import type { ReactNode } from 'react'
import { texts } from '../../texts.ts'

export interface DescriptionItem {
  label: string
  value: ReactNode
}

type Facts = readonly (DescriptionItem | false)[]

/** A list of labeled values; false entries are left out. What programs call the record is under *Details*. */
export function DescriptionList({ facts, ids }: { facts: Facts; ids?: Facts }): ReactNode {
  if (ids === undefined) return <Facts facts={facts} />
  return (
    <div className="grid gap-3">
      <Facts facts={facts} />
      <details>
        <summary className="w-fit py-0.5 text-soft hover:text-ink">{texts.people.details}</summary>
        <div className="mt-2">
          <Facts facts={ids} />
        </div>
      </details>
    </div>
  )
}

function Facts({ facts }: { facts: Facts }): ReactNode {
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
