import type { ReactNode } from 'react'
import { Page } from '../frame/page.tsx'
import { texts } from '../texts.ts'
import { NameCard } from './name-card.tsx'
import { PasskeysCard } from './passkeys-card.tsx'
import { PasswordCard } from './password-card.tsx'
import { SessionsCard } from './sessions-card.tsx'

export function AccountPage(): ReactNode {
  return (
    <Page title={texts.account.title}>
      <div className="grid items-start gap-4 lg:grid-cols-2">
        <div className="grid gap-4">
          <NameCard />
          <PasswordCard />
        </div>
        <div className="grid gap-4">
          <PasskeysCard />
          <SessionsCard />
        </div>
      </div>
    </Page>
  )
}
