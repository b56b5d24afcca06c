import type { Team } from '@gatehouse/server/dashboard-api'
import { useQuery } from '@tanstack/react-query'
import { UserPlus } from 'lucide-react'
import { type ReactNode, useState } from 'react'
import { get, keys } from '../api.ts'
import { Button } from '../components/button.tsx'
import { ColumnTitles } from '../components/display/column-titles.tsx'
import { QueryContent } from '../components/display/query-content.tsx'
import { Page } from '../frame/page.tsx'
import { texts } from '../texts.ts'
import { InviteDialog } from './invite-dialog.tsx'
import { InvitationRow, MemberRow } from './member-row.tsx'
import { PasskeyPolicyCard } from './passkey-policy-card.tsx'

const COLUMNS = [
  { title: texts.team.name },
  { title: texts.team.role },
  { title: texts.team.seen, className: 'max-md:hidden' },
  { title: texts.team.state, className: 'max-sm:hidden' },
  { title: texts.list.actions, className: 'w-12', isHidden: true },
]

export function TeamPage(): ReactNode {
  const [inviting, setInviting] = useState(false)
  const query = useQuery({
    queryKey: keys.staff('team'),
    queryFn: ({ signal }) => get<Team>('/team', {}, signal),
  })
  return (
    <Page
      title={texts.team.title}
      lead={texts.team.lead}
      action={
        <Button variant="primary" icon={UserPlus} onClick={() => setInviting(true)}>
          {texts.team.invite}
        </Button>
      }
    >
      <QueryContent query={query}>
        {(team) => (
          <div className="grid gap-4">
            <TeamTable {...team} />
            <PasskeyPolicyCard policy={team.passkey_policy} />
          </div>
        )}
      </QueryContent>
      <InviteDialog open={inviting} onClose={() => setInviting(false)} />
    </Page>
  )
}

function TeamTable({ members, invitations }: Team): ReactNode {
  return (
    <div className="rounded-xl border border-line bg-card shadow-card">
      <table className="w-full">
        <caption className="sr-only">{texts.team.title}</caption>
        <ColumnTitles
          columns={COLUMNS}
          className="px-3 py-2 text-left text-xs font-medium whitespace-nowrap text-soft"
        />
        <tbody className="[&_td]:border-t [&_td]:border-line">
          {members.map((member) => (
            <MemberRow key={member.id} member={member} />
          ))}
          {invitations.map((invitation) => (
            <InvitationRow key={invitation.email} invitation={invitation} />
          ))}
        </tbody>
      </table>
    </div>
  )
}
