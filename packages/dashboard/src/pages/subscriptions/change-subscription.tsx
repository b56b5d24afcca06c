import type { SubscriptionItem } from '@gatehouse/server/dashboard-api'
import type { ReactNode } from 'react'
import { send } from '../../api.ts'
import { type AppScope, useAppScope } from '../../app-scope.ts'
import { ConfirmDialog } from '../../components/overlays/confirm-dialog.tsx'
import { toast } from '../../components/overlays/toast.tsx'
import { toastOnError } from '../../components/overlays/toast-on-error.ts'
import { refetchApplication } from '../../components/refetch-application.ts'
import { environmentOf, useMe, useNow, useTimeZone } from '../../frame/me.ts'
import { texts } from '../../texts.ts'
import { formatDayIn } from '../access/end-choice.ts'
import { subscriberLabel } from './labels.tsx'

async function change(
  scope: AppScope,
  id: string,
  how: 'cancel' | 'resume',
): Promise<SubscriptionItem> {
  const changed = await send<SubscriptionItem>('POST', scope.path('subscriptions', id, how))
  await refetchApplication(scope)
  return changed
}

async function cancel(scope: AppScope, one: SubscriptionItem): Promise<void> {
  const { status } = await change(scope, one.id, 'cancel')
  const undo = () => toastOnError(resumeSubscription(scope, one))
  toast(texts.subscriptions.canceled(subscriberLabel(one)), status === 'canceled' ? { undo } : {})
}

/** Resumes without asking, because it does no harm and can be undone. */
export async function resumeSubscription(scope: AppScope, one: SubscriptionItem): Promise<void> {
  await change(scope, one.id, 'resume')
  const undo = () => toastOnError(cancel(scope, one))
  toast(texts.subscriptions.resumed(subscriberLabel(one)), { undo })
}

export const canCancel = ({ status }: SubscriptionItem) =>
  status !== 'canceled' && status !== 'ended'
export const canResume = ({ status }: SubscriptionItem) => status === 'canceled'

interface Props {
  /** Undefined closes the dialog. */
  subscription: SubscriptionItem | undefined
  onClose: () => void
}

export function CancelSubscriptionDialog({ subscription, onClose }: Props): ReactNode {
  const scope = useAppScope()
  const now = useNow()
  const zone = useTimeZone()
  const { delivery } = environmentOf(useMe(), scope.environment)
  if (subscription === undefined) return null
  const { email, resource, current_period_end: end, next_due } = subscription
  const isOver = next_due !== null && end * 1000 <= now
  const words = texts.subscriptions
  return (
    <ConfirmDialog
      open
      onClose={onClose}
      title={words.cancelTitle(subscriberLabel(subscription), resource)}
      effect={
        <>
          <p>{isOver ? words.cancelNow : words.cancelEffect(formatDayIn(zone, end))}</p>
          {delivery === 'kept' ? (
            <p>{words.cancelMailKept}</p>
          ) : (
            email !== '' && <p>{words.cancelMail(email)}</p>
          )}
          {!isOver && <p>{words.cancelLater}</p>}
        </>
      }
      action={words.cancelIt}
      dismiss={words.keepIt}
      onConfirm={() => cancel(scope, subscription)}
    />
  )
}
