import type { RevealedKey } from '@gatehouse/server/dashboard-api'
import type { ReactNode } from 'react'
import { Button } from '../../components/button.tsx'
import { Copyable } from '../../components/display/copyable.tsx'
import { Dialog, DialogButtons } from '../../components/overlays/dialog.tsx'
import { texts } from '../../texts.ts'

interface Props {
  revealed: RevealedKey | undefined
  title: string
  lead: string
  onClose: () => void
}

/** Shows a key while the dialog is open. */
export function KeyDialog({ revealed, title, lead, onClose }: Props): ReactNode {
  return (
    <Dialog open={revealed !== undefined} onClose={onClose} title={title} lead={lead}>
      <div className="grid gap-1">
        <span className="font-medium">{texts.developers.privateKey}</span>
        <Copyable boxed value={revealed?.private_key ?? ''} label={texts.developers.privateKey} />
      </div>
      <DialogButtons>
        <Button variant="primary" onClick={onClose}>
          {texts.developers.done}
        </Button>
      </DialogButtons>
    </Dialog>
  )
}
