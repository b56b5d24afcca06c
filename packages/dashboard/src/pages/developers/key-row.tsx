import type { KeyItem, RevealedKey } from '@gatehouse/server/dashboard-api'
import { KeyRound } from 'lucide-react'
import { type ReactNode, useState } from 'react'
import { send } from '../../api.ts'
import { useAppScope } from '../../app-scope.ts'
import { ActionButton } from '../../components/action-button.tsx'
import { StateBadge } from '../../components/display/state-badge.tsx'
import { Time } from '../../components/display/time.tsx'
import { ConfirmButton } from '../../components/overlays/confirm-button.tsx'
import { toast } from '../../components/overlays/toast.tsx'
import { formatDay } from '../../format.ts'
import { useApplication } from '../../frame/me.ts'
import { useServerTime } from '../../server-clock.ts'
import { texts } from '../../texts.ts'
import { KeyDialog } from './key-dialog.tsx'

interface Props {
  shown: KeyItem
  /** The number of live keys. */
  count: number
  onChange: () => Promise<unknown>
}

export function KeyRow({ shown, count, onChange }: Props): ReactNode {
  const { id, created_at, dies_at } = shown
  const archived = useApplication()?.archived ?? false
  return (
    <li className="flex flex-wrap items-center gap-x-4 gap-y-2 py-3 first:pt-0 last:pb-0">
      <KeyRound size={16} className="shrink-0 text-soft max-sm:hidden" aria-hidden />
      <div className="grid min-w-0 flex-1 basis-60 gap-1">
        <div className="flex flex-wrap items-center gap-x-3 gap-y-1">
          <code className="font-mono text-[0.8125rem] font-medium">{id}</code>
          {dies_at === null ? (
            <StateBadge state="live" />
          ) : (
            <>
              <StateBadge state="ending" />
              <span>
                {texts.developers.until} <Time at={dies_at} />
              </span>
            </>
          )}
        </div>
        <p className="flex flex-wrap gap-x-4 text-soft">
          <span>
            {texts.developers.made} <Time at={created_at} now={null} />
          </span>
          <LastUsed at={shown.used_at} />
        </p>
      </div>
      {!archived && (
        <div className="flex gap-2">
          <RevealButton id={id} />
          <RevokeButton shown={shown} count={count} onChange={onChange} />
        </div>
      )}
    </li>
  )
}

const DAY_MS = 86_400_000
/** Formats a UTC day with the local formatter, without shifting its date. */
const formatUtcDay = (at: number) => formatDay(at + new Date(at).getTimezoneOffset() * 60_000)

function LastUsed({ at }: { at: number | null }): ReactNode {
  const now = useServerTime('production')
  if (at === null) return <span>{texts.developers.neverUsed}</span>
  return (
    <span>
      {texts.developers.lastUsed}{' '}
      <time dateTime={new Date(at).toISOString().slice(0, 10)}>
        {now - at < DAY_MS ? texts.developers.usedToday : formatUtcDay(at)}
      </time>
    </span>
  )
}

function RevealButton({ id }: { id: string }): ReactNode {
  const { path } = useAppScope()
  const [revealed, setRevealed] = useState<RevealedKey>()
  const reveal = async () =>
    setRevealed(await send<RevealedKey>('POST', path('keys', id, 'reveal')))
  return (
    <>
      <ActionButton aria-label={texts.developers.revealThis(id)} action={reveal}>
        {texts.developers.reveal}
      </ActionButton>
      <KeyDialog
        revealed={revealed}
        title={texts.developers.keyTitle(id)}
        lead={texts.developers.keyLead}
        onClose={() => setRevealed(undefined)}
      />
    </>
  )
}

function RevokeButton({ shown, count, onChange }: Props): ReactNode {
  const { id, used_at } = shown
  const { path } = useAppScope()
  const name = useApplication()?.name ?? ''
  const now = useServerTime('production')
  const used =
    used_at === null
      ? texts.developers.revokeUnused
      : now - used_at < DAY_MS
        ? texts.developers.revokeUsedToday
        : texts.developers.revokeUsed(formatUtcDay(used_at))
  return (
    <ConfirmButton
      button={{ variant: 'quiet', 'aria-label': texts.developers.revokeThis(id) }}
      title={texts.developers.revokeTitle(id)}
      effect={[count === 1 ? texts.developers.revokeLast : texts.developers.revokeOther, used]}
      action={texts.developers.revoke}
      {...(count === 1 ? { typed: name } : {})}
      onConfirm={async () => {
        await send('POST', path('keys', id, 'revoke'))
        await onChange()
        toast(texts.developers.revoked(id))
      }}
    />
  )
}
