import type { NewLink } from '@gatehouse/server/dashboard-api'
import type { ReactNode } from 'react'
import { Button } from '../components/button.tsx'
import { Copyable } from '../components/display/copyable.tsx'
import { Notice } from '../components/display/notice.tsx'
import { Time } from '../components/display/time.tsx'
import { Dialog, DialogButtons } from '../components/overlays/dialog.tsx'
import { texts } from '../texts.ts'

interface Props {
  /** The dialog is open while this is set. */
  link: NewLink | undefined
  email: string
  onClose: () => void
}

/** Shows a link that can't be shown again. */
export function StaffLinkDialog({ link, email, onClose }: Props): ReactNode {
  return (
    <Dialog
      open={link !== undefined}
      onClose={onClose}
      title={texts.team.linkTitle(email)}
      lead={texts.team.linkLead}
    >
      {link && <ShownLink link={link} />}
      <DialogButtons>
        <Button variant="primary" onClick={onClose}>
          {texts.team.done}
        </Button>
      </DialogButtons>
    </Dialog>
  )
}

/** The service creates such links while it does not know its public URL. */
const isOnlyHere = (link: string) =>
  ['localhost', '127.0.0.1', '[::1]'].includes(new URL(link).hostname)

function ShownLink({ link }: { link: NewLink }): ReactNode {
  return (
    <div className="grid gap-2 text-left">
      <Copyable boxed value={link.link} label={texts.team.linkName} />
      <p className="text-soft">
        {texts.team.goodUntil} <Time at={link.ends_at} now={null} />
      </p>
      <Notice tone={link.mail === 'ready' ? 'plain' : 'ending'}>
        {texts.team.mailed[link.mail](link.email)}
      </Notice>
      {isOnlyHere(link.link) && <Notice>{texts.team.onlyHere}</Notice>}
    </div>
  )
}
