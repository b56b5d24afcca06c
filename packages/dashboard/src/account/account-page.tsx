import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { buttonClass } from '../components/button.tsx'
import { Card } from '../components/display/card.tsx'
import { Page } from '../frame/page.tsx'
import { texts } from '../texts.ts'
import { NameCard } from './name-card.tsx'
import { PasskeysCard } from './passkeys-card.tsx'
import { PasswordCard } from './password-card.tsx'
import { SessionsCard } from './sessions-card.tsx'

/** Leads to the page where a member chooses. */
function EmailsCard(): ReactNode {
  return (
    <Card title={texts.notifications.title} lead={texts.notifications.short}>
      <div>
        <Link to="/account/notifications" className={buttonClass()}>
          {texts.notifications.choose}
        </Link>
      </div>
    </Card>
  )
}

export function AccountPage(): ReactNode {
  return (
    <Page title={texts.account.title}>
      <div className="grid items-start gap-4 lg:grid-cols-2">
        <div className="grid gap-4">
          <NameCard />
          <PasswordCard />
          <EmailsCard />
        </div>
        <div className="grid gap-4">
          <PasskeysCard />
          <SessionsCard />
        </div>
      </div>
    </Page>
  )
}
