import type { ConnectionsView } from '@gatehouse/server/dashboard-api'
import { type ReactNode, useState } from 'react'
import { ApiError, send } from '../../../api.ts'
import { useAppScope } from '../../../app-scope.ts'
import { ConfirmDialog } from '../../../components/overlays/confirm-dialog.tsx'
import { toast } from '../../../components/overlays/toast.tsx'
import { texts } from '../../../texts.ts'
import { type ConnectionKind, connectionsPath, useAfterChange } from './use-connections.ts'

interface Props {
  open: boolean
  onClose: () => void
  kind: ConnectionKind
  effect: string
}

export const isInUse = (error: unknown): error is ApiError =>
  error instanceof ApiError && error.code === 'connection_in_use'

/** Asks first. If the server says that something depends on the connection, the dialog shows that and asks once more. */
export function DisconnectDialog({ open, onClose, kind, effect }: Props): ReactNode {
  const { environment } = useAppScope()
  const [isAtStake, setAtStake] = useState(false)
  const afterChange = useAfterChange()
  const { [kind]: own, disconnect, payments } = texts.connections
  const close = () => {
    setAtStake(false)
    onClose()
  }
  return (
    <ConfirmDialog
      open={open}
      onClose={close}
      title={own.disconnectTitle}
      effect={effect}
      action={isAtStake ? payments.disconnectAnyway : disconnect}
      onConfirm={async () => {
        const path = connectionsPath(environment, kind, 'disconnect')
        const body = kind === 'payments' ? { confirm: isAtStake } : undefined
        try {
          await afterChange(await send<ConnectionsView>('POST', path, body))
          toast(own.disconnected)
        } catch (error) {
          if (isInUse(error)) setAtStake(true)
          throw error
        }
      }}
    />
  )
}
