import { type ReactNode, useId } from 'react'

/** A name whose definition appears when it is pointed at or focused. Its box must be positioned: the definition is as
 * wide as the box, so that it fits on every screen. */
export function Defined({
  children,
  definition,
}: {
  children: string
  definition: string
}): ReactNode {
  const id = useId()
  return (
    <span className="group/defined">
      <button
        type="button"
        aria-describedby={id}
        onKeyDown={({ key, currentTarget }) => key === 'Escape' && currentTarget.blur()}
        className="min-h-6 cursor-help underline decoration-edge decoration-dotted underline-offset-4"
      >
        {children}
      </button>
      <span
        id={id}
        role="tooltip"
        className="absolute inset-x-2 top-11 z-20 hidden rounded-lg border border-line bg-raised p-3 text-sm font-normal text-ink shadow-float group-focus-within/defined:block group-hover/defined:block"
      >
        {definition}
      </span>
    </span>
  )
}
