import { Outlet } from '@tanstack/react-router'
import { Menu as MenuIcon, Search } from 'lucide-react'
import { type ReactNode, Suspense, useEffect, useState } from 'react'
import { useOptionalScope } from '../app-scope.ts'
import { cx } from '../components/cx.ts'
import { Skeleton } from '../components/display/skeleton.tsx'
import { IconButton } from '../components/icon-button.tsx'
import { Sheet } from '../components/overlays/sheet.tsx'
import { texts } from '../texts.ts'
import { HoldBanner } from './hold-banner.tsx'
import { rememberScope } from './last-scope.ts'
import { useApplication } from './me.ts'
import { NotFoundPage } from './not-found-page.tsx'
import { SandboxBanner } from './sandbox-banner.tsx'
import { SearchDialog } from './search-dialog.tsx'
import { ShortcutsDialog } from './shortcuts-dialog.tsx'
import { Sidebar } from './sidebar.tsx'
import { useShortcuts } from './use-shortcuts.ts'

/** Shown until it is known who is signed in. */
export function Loading(): ReactNode {
  return (
    <main className="mx-auto max-w-md p-8">
      <Skeleton />
    </main>
  )
}

/** The frame around every page for signed-in members. */
export function Frame(): ReactNode {
  const scope = useOptionalScope()
  const application = useApplication()
  const [finding, setFinding] = useState(false)
  const [menu, setMenu] = useState(false)
  const [help, setHelp] = useState(false)
  const showShortcuts = () => setHelp(true)
  useShortcuts({ find: () => setFinding(true), showShortcuts })
  const known = scope === undefined || application !== undefined
  useEffect(() => {
    if (scope !== undefined && known) rememberScope(scope)
  }, [scope, known])
  const find = () => {
    setMenu(false)
    setFinding(true)
  }
  const inSandbox = scope?.environment === 'sandbox'
  return (
    <div className={cx(inSandbox && '[--band-height:2.5rem]')}>
      <a
        href="#content"
        className="fixed top-2 left-2 z-60 -translate-y-20 rounded-lg bg-accent px-3 py-2 text-on-accent focus:translate-y-0"
      >
        {texts.frame.skip}
      </a>
      {inSandbox && <SandboxBanner />}
      <div className="sm:grid sm:grid-cols-[3.75rem_minmax(0,1fr)] lg:grid-cols-[14.5rem_minmax(0,1fr)]">
        <div className="sticky top-(--band-height) h-[calc(100dvh-var(--band-height))] border-r border-line bg-card max-sm:hidden">
          <Sidebar onFind={find} />
        </div>
        <header className="flex items-center justify-between gap-2 border-b border-line bg-card px-2 py-1.5 sm:hidden">
          <IconButton icon={MenuIcon} label={texts.frame.menu} onClick={() => setMenu(true)} />
          <span className="truncate font-medium">{application?.name ?? texts.product}</span>
          <IconButton icon={Search} label={texts.frame.find} onClick={find} />
        </header>
        <main
          id="content"
          tabIndex={-1}
          className="mx-auto w-full max-w-[1200px] px-4 py-5 outline-none sm:px-6 sm:py-6 lg:px-8"
        >
          <HoldBanner />
          <Suspense fallback={<Skeleton lines={6} />}>
            {known ? <Outlet /> : <NotFoundPage />}
          </Suspense>
        </main>
      </div>
      <Sheet open={menu} onClose={() => setMenu(false)} title={texts.product} side="left">
        <Sidebar expanded onFind={find} onLeave={() => setMenu(false)} />
      </Sheet>
      <SearchDialog
        open={finding}
        onClose={() => setFinding(false)}
        showShortcuts={showShortcuts}
      />
      <ShortcutsDialog open={help} onClose={() => setHelp(false)} />
    </div>
  )
}
