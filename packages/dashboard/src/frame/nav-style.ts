import { cx } from '../components/cx.ts'

/** The style of navigation entries, which show only icons on medium-sized screens. */
export const navEntryClass = (full: boolean) =>
  cx(
    'flex h-9 w-full items-center gap-2.5 rounded-lg px-2.5 text-left transition-colors hover:bg-hover pointer-coarse:h-10',
    !full && 'max-lg:justify-center max-lg:px-0',
  )

export const navLabelClass = (full: boolean) =>
  cx('min-w-0 flex-1 truncate', !full && 'max-lg:sr-only')

/** The properties of the sidebar's environment and application switches. */
export interface SwitchProps {
  /** Whether the sidebar is wide enough for names. */
  full: boolean
  /** Called before another page is opened. */
  onLeave: () => void
}
