import { type MailItem, SUPPORT } from '@gatehouse/server/dashboard-api'
import type { ReactNode } from 'react'
import { send } from '../../api.ts'
import { useAppScope } from '../../app-scope.ts'
import { ConfirmDialog } from '../../components/overlays/confirm-dialog.tsx'
import { toast } from '../../components/overlays/toast.tsx'
import { refetchApplication } from '../../components/refetch-application.ts'
import { environmentOf, useHasRole, useMe } from '../../frame/me.ts'
import { texts } from '../../texts.ts'
import { mailKindLabel } from './labels.tsx'

/** Whether this environment sends mails at all. */
export function useSendsEmail(): boolean {
  const { environment } = useAppScope()
  return environmentOf(useMe(), environment).delivery !== 'kept'
}

/** Whether the signed-in member may resend mails, and this environment sends any. */
export function useCanResend(): boolean {
  const hasRole = useHasRole(SUPPORT)
  return useSendsEmail() && hasRole
}

/** A mail to an erased person has no recipient, and a queued one is sent without help. */
export const isResendable = ({ to, status }: MailItem) => to !== '' && status !== 'waiting'

interface AgainProps {
  /** Undefined closes the dialog. */
  mail: MailItem | undefined
  onClose: () => void
}

export function ResendDialog({ mail, onClose }: AgainProps): ReactNode {
  const scope = useAppScope()
  if (mail === undefined) return null
  const { id, resend_to: to, status } = mail
  const words = texts.mails
  async function sendAgain() {
    await send('POST', scope.path('mails', id, 'send-again'))
    await refetchApplication(scope)
    toast(words.againDone(to))
  }
  return (
    <ConfirmDialog
      open
      onClose={onClose}
      variant="primary"
      title={words.againTitle(mailKindLabel(mail), to)}
      effect={status === 'sent' ? words.againEffect.twice : words.againEffect.once}
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

export function ResendFailedDialog({ dead, open, onClose }: DeadProps): ReactNode {
  const scope = useAppScope()
  const words = texts.mails
  async function sendAll() {
    const { queued } = await send<{ queued: number }>(
      'POST',
      scope.path('mails', 'send-again-dead'),
    )
    await refetchApplication(scope)
    toast(words.deadDone(queued))
  }
  return (
    <ConfirmDialog
      open={open}
      onClose={onClose}
      variant="primary"
      title={words.deadTitle(dead)}
      effect={words.deadEffect(dead)}
      action={words.sendAgain}
      onConfirm={sendAll}
    />
  )
}
