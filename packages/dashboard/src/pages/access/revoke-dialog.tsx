import type {
  AccessItem,
  RevokedCounts,
  RevokedManyCounts,
  RevokePreview,
} from '@gatehouse/server/dashboard-api'
import { useQuery } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import { get, keys, send } from '../../api.ts'
import { useAppScope } from '../../app-scope.ts'
import { Notice } from '../../components/display/notice.tsx'
import { Skeleton } from '../../components/display/skeleton.tsx'
import { Checkbox } from '../../components/forms/checkbox.tsx'
import { errorMessage } from '../../components/forms/use-form.ts'
import { ConfirmDialog } from '../../components/overlays/confirm-dialog.tsx'
import { toast } from '../../components/overlays/toast.tsx'
import { texts } from '../../texts.ts'
import { useSendsEmail } from '../mail/resend.tsx'
import { personLabel } from './access-labels.ts'
import { formatSums } from './format-sums.ts'
import { addUp, describeMails, type RevokeEffect } from './revoke-effect.ts'
import { useRefetch } from './use-refetch.ts'

interface Props {
  /** At least one row; all of them can be revoked. */
  rows: readonly AccessItem[]
  onClose: () => void
  onDone?: () => void
}

function useEffectOf(rows: readonly AccessItem[]) {
  const { environment, aid, path } = useAppScope()
  const ids = rows.map(({ id }) => id)
  return useQuery({
    // Not under the keys of the application, which are refetched after each change: nothing is left to revoke then.
    queryKey: keys.staff('revoke effect', environment, aid, ids),
    queryFn: async ({ signal }) =>
      addUp(
        await Promise.all(
          ids.map((id) => get<RevokePreview>(path('access', id, 'effect'), {}, signal)),
        ),
      ),
    gcTime: 0,
    staleTime: Number.POSITIVE_INFINITY,
  })
}

export function RevokeDialog({ rows, onClose, onDone }: Props): ReactNode {
  const { path } = useAppScope()
  const refresh = useRefetch()
  const [refund, setRefund] = useState(false)
  const { data: effect, error } = useEffectOf(rows)
  const [first] = rows
  if (first === undefined) return null
  const isOne = rows.length === 1
  const sum = formatSums(effect?.refundable ?? [])

  async function revoke(row: AccessItem) {
    if (isOne) {
      toastRevoked(
        row,
        await send<RevokedCounts>('POST', path('access', row.id, 'revoke'), { refund }),
      )
    } else {
      const ids = rows.map(({ id }) => id)
      toastRevokedMany(
        await send<RevokedManyCounts>('POST', path('access', 'revoke-many'), { ids, refund }),
      )
    }
    onDone?.()
    await refresh()
  }

  return (
    <ConfirmDialog
      open
      onClose={onClose}
      title={
        isOne
          ? texts.access.revokeTitle(personLabel(first), first.resource_name)
          : texts.access.revokeMany(rows.length)
      }
      effect={<EffectSummary {...{ rows, first, effect, error, refund }} />}
      action={texts.access.revoke}
      disabled={effect === undefined}
      onConfirm={() => revoke(first)}
    >
      {sum !== '' && (
        <Checkbox
          label={texts.access.refund(sum)}
          hint={texts.access.refundHint}
          checked={refund}
          onCheckedChange={setRefund}
        />
      )}
    </ConfirmDialog>
  )
}

interface EffectSummaryProps {
  rows: readonly AccessItem[]
  first: AccessItem
  effect: RevokeEffect | undefined
  error: Error | null
  /** Whether the payments are refunded too. */
  refund: boolean
}

function EffectSummary({ rows, first, effect, error, refund }: EffectSummaryProps): ReactNode {
  const { access } = texts
  const isSent = useSendsEmail()
  const people = new Set(rows.map(({ uid }) => uid)).size
  const resources = new Set(rows.map(({ rid }) => rid)).size
  if (error) return <Notice tone="failed">{errorMessage(error)}</Notice>
  if (effect === undefined) return <Skeleton lines={3} />
  const { subscriptions, refundable, disputed } = effect
  return (
    <>
      <p>
        {rows.length === 1
          ? access.revokeEffect(personLabel(first), first.resource_name)
          : access.revokeEffects(people, resources)}
      </p>
      {subscriptions > 0 && <p>{access.endsSubscriptions(subscriptions)}</p>}
      {disputed.length > 0 && <p>{access.disputed(formatSums(disputed))}</p>}
      {refundable.length === 0 && <p className="text-soft">{access.nothingPaid}</p>}
      <p aria-live="polite">{describeMails(effect, refund, isSent)}</p>
    </>
  )
}

/** A refund's reason as text; reasons without a text come from the payment provider. */
const reasonOf = (reason: string | null): string =>
  reason === null ? '' : (texts.payments.reasons[reason] ?? reason)

function toastRevoked(row: AccessItem, { refunds }: RevokedCounts) {
  const done = texts.access.revoked(personLabel(row), row.resource_name)
  const failed = refunds.find(({ status }) => status === 'failed')
  if (failed) {
    toast(`${done} ${texts.access.refundFailed(reasonOf(failed.reason))}`, { failed: true })
  } else {
    const sum = formatSums(refunds.map(({ money }) => money))
    toast(sum === '' ? done : `${done} ${texts.access.refunding(sum)}`)
  }
}

function toastRevokedMany({ revoked, refunds, refused }: RevokedManyCounts) {
  const parts = [texts.access.revokedMany(revoked)]
  if (refunds > 0) parts.push(texts.access.refunds(refunds))
  const [first] = refused
  if (first) parts.push(texts.access.notRevoked(refused.length, first.message))
  toast(parts.join(' '), { failed: refused.length > 0 })
}
