import type { ReactNode } from 'react'
import { Button } from '../../../components/button.tsx'
import { Copyable } from '../../../components/display/copyable.tsx'
import { Dialog, DialogButtons } from '../../../components/overlays/dialog.tsx'
import { texts } from '../../../texts.ts'

const words = texts.webhooks

/** Shows a new secret, once. */
export function SecretDialog(props: {
  secret: string | undefined
  onClose: () => void
}): ReactNode {
  const { secret, onClose } = props
  return (
    <Dialog
      open={secret !== undefined}
      onClose={onClose}
      title={words.secretTitle}
      lead={words.secretLead}
    >
      <div className="grid gap-1">
        <span className="font-medium">{words.secret}</span>
        <Copyable boxed value={secret ?? ''} label={words.secret} />
      </div>
      <DialogButtons>
        <Button variant="primary" onClick={onClose}>
          {words.done}
        </Button>
      </DialogButtons>
    </Dialog>
  )
}
