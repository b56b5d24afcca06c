import type { ReactNode } from 'react'
import type { ShownSubscription } from '../../../../server/src/http/dashboard/payments/schemas.ts'
import { send } from '../../api.ts'
import { formatDay } from '../../format.ts'
import { environmentOf, useMe, useNow } from '../../frame/me.ts'
import { ConfirmDialog } from '../../parts/overlays/confirm-dialog.tsx'
import { toast } from '../../parts/overlays/toast.tsx'
import { told } from '../../parts/overlays/toast-on-error.ts'
import { refresh } from '../../parts/refresh.ts'
import { type Place, usePlace } from '../../place.ts'
import { texts } from '../../texts.ts'
import { nameOf } from './states.tsx'

async function change(
  place: Place,
  id: string,
  how: 'cancel' | 'resume',
): Promise<ShownSubscription> {
  const changed = await send<ShownSubscription>('POST', place.path('subscriptions', id, how))
  await refresh(place)
  return changed
}

async function cancel(place: Place, one: ShownSubscription): Promise<void> {
  const { status } = await change(place, one.id, 'cancel')
  const undo = () => told(resume(place, one))
  toast(texts.subscriptions.canceled(nameOf(one)), status === 'canceled' ? { undo } : {})
}

/** Resumes without asking, because it does no harm and can be undone. */
export async function resume(place: Place, one: ShownSubscription): Promise<void> {
  await change(place, one.id, 'resume')
  const undo = () => told(cancel(place, one))
  toast(texts.subscriptions.resumed(nameOf(one)), { undo })
}

export const mayCancel = ({ status }: ShownSubscription) =>
  status !== 'canceled' && status !== 'ended'
export const mayResume = ({ status }: ShownSubscription) => status === 'canceled'

interface Props {
  /** Undefined closes the dialog. */
  subscription: ShownSubscription | undefined
  onClose: () => void
}

export function CancelDialog({ subscription, onClose }: Props): ReactNode {
  const place = usePlace()
  const now = useNow()
  const { delivery } = environmentOf(useMe(), place.environment)
  if (subscription === undefined) return null
  const { email, resource, current_period_end: end, next_due } = subscription
  const isOver = next_due !== null && end * 1000 <= now
  const words = texts.subscriptions
  return (
    <ConfirmDialog
      open
      onClose={onClose}
      title={words.cancelTitle(nameOf(subscription), resource)}
      effect={
        <>
          <p>{isOver ? words.cancelNow : words.cancelEffect(formatDay(end * 1000))}</p>
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
      onConfirm={() => cancel(place, subscription)}
    />
  )
}
