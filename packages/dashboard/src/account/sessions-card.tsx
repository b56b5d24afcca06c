import type { Session } from '@gatehouse/server/dashboard-api'
import { useQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { LogOut, Monitor } from 'lucide-react'
import type { ReactNode } from 'react'
import { get, keys, send } from '../api.ts'
import { Card } from '../components/display/card.tsx'
import { Skeleton } from '../components/display/skeleton.tsx'
import { StateBadge } from '../components/display/state-badge.tsx'
import { Time } from '../components/display/time.tsx'
import { errorMessage } from '../components/forms/use-form.ts'
import { IconButton } from '../components/icon-button.tsx'
import { ConfirmButton } from '../components/overlays/confirm-button.tsx'
import { toast } from '../components/overlays/toast.tsx'
import { queryClient } from '../query-client.ts'
import { endSessions } from '../sign-in/end-sessions.ts'
import { texts } from '../texts.ts'
import { describeUserAgent } from './user-agent.ts'

const KEY = keys.staff('sessions')

async function end(session: Session) {
  try {
    await send('DELETE', `/sessions/${session.id}`)
  } catch (error) {
    toast(errorMessage(error), { failed: true })
  }
  await queryClient.invalidateQueries({ queryKey: KEY })
}

export function SessionsCard(): ReactNode {
  const navigate = useNavigate()
  const { data } = useQuery({
    queryKey: KEY,
    queryFn: ({ signal }) => get<{ data: Session[] }>('/sessions', {}, signal),
  })
  const others = data?.data.filter(({ current }) => !current).length ?? 0
  return (
    <Card
      title={texts.account.sessionsTitle}
      action={
        <ConfirmButton
          button={{ icon: LogOut }}
          title={texts.account.everywhereTitle}
          effect={texts.account.everywhereEffect(others)}
          action={texts.account.everywhere}
          onConfirm={async () => {
            await endSessions('/sign-out-everywhere')
            await navigate({ to: '/sign-in' })
            queryClient.clear()
          }}
        />
      }
    >
      {data === undefined ? (
        <Skeleton lines={2} />
      ) : (
        <ul className="divide-y divide-line">
          {data.data.map((session) => (
            <SessionRow key={session.id} session={session} />
          ))}
        </ul>
      )}
    </Card>
  )
}

function SessionRow({ session }: { session: Session }): ReactNode {
  const name = describeUserAgent(session.agent)
  return (
    <li className="flex items-center gap-3 py-2">
      <Monitor size={16} className="shrink-0 text-soft" aria-hidden />
      <div className="min-w-0 flex-1">
        <p className="truncate font-medium" title={session.agent}>
          {name}
        </p>
        <p className="text-soft">
          {texts.account.seen} <Time at={session.seen_at} />
        </p>
      </div>
      {session.current ? (
        <StateBadge state="live">{texts.account.thisOne}</StateBadge>
      ) : (
        <IconButton
          icon={LogOut}
          label={texts.account.endSession(name)}
          onClick={() => void end(session)}
        />
      )}
    </li>
  )
}
