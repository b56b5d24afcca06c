import type { ConnectionsView } from '@gatehouse/server/dashboard-api'
import { type ReactNode, useState } from 'react'
import { ApiError, send } from '../../../api.ts'
import { useAppScope } from '../../../app-scope.ts'
import { ConfirmDialog } from '../../../components/overlays/confirm-dialog.tsx'
import { texts } from '../../../texts.ts'
import { connectionsPath } from './use-connections.ts'

interface Props {
  open: boolean
  onClose: () => void
  kind: 'payments' | 'mail'
  title: string
  effect: string
  onDone: (view: ConnectionsView) => Promise<void>
}

export const isInUse = (error: unknown): error is ApiError =>
  error instanceof ApiError && error.code === 'connection_in_use'

/** Asks first. If the server says that something depends on the connection, the dialog shows that and asks once more. */
export function DisconnectDialog({ open, onClose, kind, title, effect, onDone }: Props): ReactNode {
  const { environment } = useAppScope()
  const [isAtStake, setAtStake] = useState(false)
  const { disconnect, payments } = texts.connections
  const close = () => {
    setAtStake(false)
    onClose()
  }
  return (
    <ConfirmDialog
      open={open}
      onClose={close}
      title={title}
      effect={<p>{effect}</p>}
      action={isAtStake ? payments.disconnectAnyway : disconnect}
      onConfirm={async () => {
        const path = connectionsPath(environment, kind, 'disconnect')
        const body = kind === 'payments' ? { confirm: isAtStake } : undefined
        try {
          await onDone(await send<ConnectionsView>('POST', path, body))
        } catch (error) {
          if (isInUse(error)) setAtStake(true)
          throw error
        }
      }}
    />
  )
}
