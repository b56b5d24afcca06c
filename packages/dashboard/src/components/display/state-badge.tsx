import type { ReactNode } from 'react'
import { texts } from '../../texts.ts'
import { cx } from '../cx.ts'

export type BadgeState = keyof typeof texts.states

const COLOR_CLASSES: Record<BadgeState, string> = {
  live: 'bg-live-tint text-live',
  ending: 'bg-ending-tint text-ending',
  ended: 'bg-ended-tint text-ended',
  failed: 'bg-failed-tint text-failed',
}

/** A dot and a word, because color alone is not enough. The dot of an ended state is hollow. */
export function StateBadge({
  state,
  children,
}: {
  state: BadgeState
  children?: ReactNode
}): ReactNode {
  return (
    <span
      className={cx(
        'inline-flex min-h-6 items-center gap-1.5 rounded-xl px-2 text-xs font-medium whitespace-nowrap',
        // Allows two words to wrap on a narrow screen with large text.
        'max-sm:wrap-normal max-sm:whitespace-normal',
        COLOR_CLASSES[state],
      )}
    >
      <span
        aria-hidden
        className={cx(
          'size-2 shrink-0 rounded-full border-[1.5px] border-current',
          state !== 'ended' && 'bg-current',
        )}
      />
      {children ?? texts.states[state]}
    </span>
  )
}

/** Makes a badge for the states of a record: what each is called, and which of the four states it looks like. */
export const badgeOf =
  <S extends string>(
    labels: Readonly<Record<S, string>>,
    states: Readonly<Record<S, BadgeState>>,
  ): ((props: { state: S }) => ReactNode) =>
  ({ state }) => <StateBadge state={states[state]}>{labels[state]}</StateBadge>
