import { cx } from '../components/cx.ts'

/** The style of navigation entries, which show only icons on medium-sized screens. */
export const navEntryClass = (expanded: boolean) =>
  cx(
    'flex h-9 w-full items-center gap-2.5 rounded-lg px-2.5 text-left transition-colors hover:bg-hover pointer-coarse:h-10',
    !expanded && 'max-lg:justify-center max-lg:px-0',
  )

export const navLabelClass = (expanded: boolean) =>
  cx('min-w-0 flex-1 truncate', !expanded && 'max-lg:sr-only')

/** The properties of the sidebar's environment and application switches. */
export interface SwitchProps {
  /** Whether names are shown on all screens; otherwise medium-sized ones show only icons. */
  expanded: boolean
  /** Called before another page is opened. */
  onLeave: () => void
}
