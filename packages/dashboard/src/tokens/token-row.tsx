import type { TokenItem } from '@gatehouse/server/dashboard-api'
import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { keys, send } from '../api.ts'
import { linkClass } from '../components/display/record-links.tsx'
import { StateBadge } from '../components/display/state-badge.tsx'
import { Time } from '../components/display/time.tsx'
import { ConfirmButton } from '../components/overlays/confirm-button.tsx'
import { toast } from '../components/overlays/toast.tsx'
import { useMe } from '../frame/me.ts'
import { queryClient } from '../query-client.ts'
import { useServerTime } from '../server-clock.ts'
import { texts } from '../texts.ts'

export const refreshTokens = () => queryClient.invalidateQueries({ queryKey: keys.staff('tokens') })

export function TokenRow({ token }: { token: TokenItem }): ReactNode {
  const { id, name, start, role, created_at, used_at, ends_at, revoked_at } = token
  const now = useServerTime('production')
  const isLive = revoked_at === null && (ends_at === null || ends_at > now)
  return (
    <li className="flex flex-wrap items-center gap-x-4 gap-y-2 p-4">
      <div className="grid min-w-0 flex-1 basis-60 gap-1">
        <div className="flex flex-wrap items-center gap-x-3 gap-y-1">
          <span className="font-medium break-words">{name}</span>
          <code className="font-mono text-[0.8125rem] text-soft">{start}…</code>
          <TokenState token={token} now={now} />
        </div>
        <p>
          {texts.roles[role]} · <Scope aid={token.aid} />
        </p>
        <p className="flex flex-wrap gap-x-4 text-soft">
          <span>
            {texts.tokens.created} <Time at={created_at} now={null} />
          </span>
          <span>
            {used_at === null ? (
              texts.tokens.neverUsed
            ) : (
              <>
                {texts.tokens.used} <Time at={used_at} now={now} />
              </>
            )}
          </span>
          {ends_at !== null && revoked_at === null && (
            <span>
              {isLive ? texts.tokens.expires : texts.tokens.expired}{' '}
              <Time at={ends_at} now={null} />
            </span>
          )}
          <Link to="/audit" search={{ staff: id }} className={linkClass}>
            {texts.tokens.audit}
          </Link>
        </p>
      </div>
      {isLive && (
        <div className="flex flex-wrap gap-2">
          {token.suspended_at !== null && <WaitingButton token={token} />}
          <RevokeButton token={token} />
        </div>
      )}
    </li>
  )
}

function TokenState({ token, now }: { token: TokenItem; now: number }): ReactNode {
  const { revoked_at, ends_at, suspended_at } = token
  if (revoked_at !== null) return <StateBadge state="ended">{texts.tokens.revoked}</StateBadge>
  if (ends_at !== null && ends_at <= now) {
    return <StateBadge state="ended">{texts.tokens.hasExpired}</StateBadge>
  }
  if (suspended_at !== null) return <StateBadge state="ending">{texts.tokens.waiting}</StateBadge>
  return <StateBadge state="live">{texts.tokens.active}</StateBadge>
}

function Scope({ aid }: { aid: string | null }): ReactNode {
  const { environments } = useMe()
  if (aid === null) return texts.tokens.allApplications
  for (const { name, applications } of environments) {
    const found = applications.find((one) => one.aid === aid)
    if (found) return `${found.name} (${texts.tokens.environments[name]})`
  }
  return aid
}

function WaitingButton({ token: { id, name, role } }: { token: TokenItem }): ReactNode {
  return (
    <ConfirmButton
      button={{ 'aria-label': texts.common.actionOn(texts.tokens.confirm, name) }}
      variant="primary"
      title={texts.tokens.confirmTitle(name)}
      effect={texts.tokens.confirmEffect(texts.roles[role])}
      action={texts.tokens.confirm}
      onConfirm={async () => {
        await send('POST', `/tokens/${id}/confirm`)
        await refreshTokens()
        toast(texts.tokens.confirmed(name))
      }}
    />
  )
}

function RevokeButton({ token: { id, name } }: { token: TokenItem }): ReactNode {
  return (
    <ConfirmButton
      button={{
        variant: 'quiet',
        'aria-label': texts.common.actionOn(texts.tokens.revoke, name),
      }}
      title={texts.tokens.revokeTitle(name)}
      effect={texts.tokens.revokeEffect}
      action={texts.tokens.revoke}
      onConfirm={async () => {
        await send('POST', `/tokens/${id}/revoke`)
        await refreshTokens()
        toast(texts.tokens.revokedNow(name))
      }}
    />
  )
}
