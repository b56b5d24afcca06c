import type { ReactNode } from 'react'
import type { ShownMail } from '../../../../server/src/http/dashboard/mail/schemas.ts'
import { SUPPORT } from '../../../../server/src/http/dashboard/route.ts'
import { send } from '../../api.ts'
import { environmentOf, useMay, useMe } from '../../frame/me.ts'
import { ConfirmDialog } from '../../parts/overlays/confirm-dialog.tsx'
import { toast } from '../../parts/overlays/toast.tsx'
import { refresh } from '../../parts/refresh.ts'
import { usePlace } from '../../place.ts'
import { texts } from '../../texts.ts'
import { kindOf } from './states.tsx'

/** Whether this environment sends mails at all. */
export function useIsSent(): boolean {
  const { environment } = usePlace()
  return environmentOf(useMe(), environment).delivery !== 'kept'
}

/** Whether the signed-in member may resend mails, and this environment sends any. */
export function useMaySend(): boolean {
  const may = useMay(SUPPORT)
  return useIsSent() && may
}

/** A mail to an erased person has no recipient, and a queued one is sent without help. */
export const canGoAgain = ({ to, status }: ShownMail) => to !== '' && status !== 'waiting'

interface AgainProps {
  /** Undefined closes the dialog. */
  mail: ShownMail | undefined
  onClose: () => void
}

export function AgainDialog({ mail, onClose }: AgainProps): ReactNode {
  const place = usePlace()
  if (mail === undefined) return null
  const { id, to, status } = mail
  const words = texts.mails
  async function sendAgain() {
    await send('POST', place.path('mails', id, 'send-again'))
    await refresh(place)
    toast(words.againDone(to))
  }
  return (
    <ConfirmDialog
      open
      onClose={onClose}
      look="primary"
      title={words.againTitle(kindOf(mail), to)}
      effect={<p>{status === 'sent' ? words.againEffect.twice : words.againEffect.once}</p>}
      action={words.sendAgain}
      onConfirm={sendAgain}
    />
  )
}

interface DeadProps {
  /** The number of failed mails. */
  dead: number
  open: boolean
  onClose: () => void
}

export function DeadDialog({ dead, open, onClose }: DeadProps): ReactNode {
  const place = usePlace()
  const words = texts.mails
  async function sendAll() {
    const { queued } = await send<{ queued: number }>(
      'POST',
      place.path('mails', 'send-again-dead'),
    )
    await refresh(place)
    toast(words.deadDone(queued))
  }
  return (
    <ConfirmDialog
      open={open}
      onClose={onClose}
      look="primary"
      title={words.deadTitle(dead)}
      effect={<p>{words.deadEffect(dead)}</p>}
      action={words.sendAgain}
      onConfirm={sendAll}
    />
  )
}
