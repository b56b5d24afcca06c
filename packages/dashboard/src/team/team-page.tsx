import type { Team } from '@gatehouse/server/dashboard-api'
import { useQuery } from '@tanstack/react-query'
import { UserPlus } from 'lucide-react'
import { type ReactNode, useState } from 'react'
import { get, keys } from '../api.ts'
import { Button } from '../components/button.tsx'
import { Notice } from '../components/display/notice.tsx'
import { Skeleton } from '../components/display/skeleton.tsx'
import { errorMessage } from '../components/forms/use-form.ts'
import { Page } from '../frame/page.tsx'
import { texts } from '../texts.ts'
import { InviteDialog } from './invite-dialog.tsx'
import { InvitationRow, MemberRow } from './member-row.tsx'

const headClass = 'px-3 py-2 text-left text-xs font-medium whitespace-nowrap text-soft'

export function TeamPage(): ReactNode {
  const [inviting, setInviting] = useState(false)
  const { data, error } = useQuery({
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
      {error && <Notice tone="failed">{errorMessage(error)}</Notice>}
      {!data && !error && <Skeleton />}
      {data && (
        <div className="rounded-xl border border-line bg-card shadow-card">
          <table className="w-full">
            <caption className="sr-only">{texts.team.title}</caption>
            <thead>
              <tr>
                <th scope="col" className={headClass}>
                  {texts.team.name}
                </th>
                <th scope="col" className={headClass}>
                  {texts.team.role}
                </th>
                <th scope="col" className={`${headClass} max-md:hidden`}>
                  {texts.team.seen}
                </th>
                <th scope="col" className={`${headClass} max-sm:hidden`}>
                  {texts.team.state}
                </th>
                <th scope="col" className={`${headClass} w-12`}>
                  <span className="sr-only">{texts.list.actions}</span>
                </th>
              </tr>
            </thead>
            <tbody className="[&_td]:border-t [&_td]:border-line">
              {data.members.map((member) => (
                <MemberRow key={member.id} member={member} />
              ))}
              {data.invitations.map((invitation) => (
                <InvitationRow key={invitation.email} invitation={invitation} />
              ))}
            </tbody>
          </table>
        </div>
      )}
      <InviteDialog open={inviting} onClose={() => setInviting(false)} />
    </Page>
  )
}
