import { Link, useLocation } from '@tanstack/react-router'
import { ArrowLeft } from 'lucide-react'
import { type ReactNode, useEffect, useRef } from 'react'
import { texts } from '../texts.ts'
import { useApplication } from './me.ts'

interface Props {
  title: string
  /** In front of the title: a picture. */
  before?: ReactNode
  /** Next to the title: a state or an id. */
  beside?: ReactNode
  lead?: ReactNode
  /** The one primary action, and a menu for the others. */
  action?: ReactNode
  /** The parent page. */
  back?: { to: string; label: string }
  children: ReactNode
}

let first = true

/** Moves the focus to the heading after each navigation, so that screen readers announce the new page. */
function useArrival() {
  const heading = useRef<HTMLHeadingElement>(null)
  const { pathname } = useLocation()
  // biome-ignore lint/correctness/useExhaustiveDependencies: runs at each new path.
  useEffect(() => {
    if (first) first = false
    else heading.current?.focus({ preventScroll: true })
  }, [pathname])
  return heading
}

/** One H1, the window title, and one primary action on the right. */
export function Page({ title, before, beside, lead, action, back, children }: Props): ReactNode {
  const application = useApplication()
  const heading = useArrival()
  useEffect(() => {
    document.title = texts.title(title, application?.name)
  }, [title, application?.name])
  return (
    <div className="grid grid-cols-1 gap-5">
      <header className="grid grid-cols-1 gap-1 max-sm:gap-2">
        {back && (
          <Link
            to={back.to}
            className="inline-flex min-h-6 items-center gap-1 justify-self-start text-soft hover:text-ink"
          >
            <ArrowLeft size={14} aria-hidden />
            {back.label}
          </Link>
        )}
        <div className="flex flex-wrap items-center justify-between gap-x-4 gap-y-2">
          <div className="flex min-w-0 flex-wrap items-center gap-x-3 gap-y-1">
            {before}
            <h1
              ref={heading}
              tabIndex={-1}
              className="text-xl leading-8 font-semibold tracking-tight outline-none"
            >
              {title}
            </h1>
            {beside}
          </div>
          {action && <div className="flex flex-wrap items-center gap-2">{action}</div>}
        </div>
        {lead && <div className="max-w-prose text-soft">{lead}</div>}
      </header>
      {children}
    </div>
  )
}
