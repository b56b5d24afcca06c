import type { ReactNode } from 'react'
import { useNow } from '../../frame/me.ts'
import { texts } from '../../texts.ts'
import { Button } from '../button.tsx'
import { Copyable } from '../display/copyable.tsx'
import { Time } from '../display/time.tsx'
import { DialogButtons } from './dialog.tsx'

interface Props {
  link: { url: string; expires: number }
  /** The name of the link in the label “Copy …”. */
  label: string
  onClose: () => void
  children?: ReactNode
}

/** The end of a dialog that has made a link: the link to copy, and how long it works. */
export function MadeLink({ link, label, onClose, children }: Props): ReactNode {
  const now = useNow()
  return (
    <div className="grid gap-3">
      {children}
      <Copyable value={link.url} label={label} boxed />
      <p className="text-soft">
        {texts.common.linkUntil} <Time at={link.expires * 1000} now={now} />
      </p>
      <DialogButtons>
        <Button variant="primary" onClick={onClose}>
          {texts.common.done}
        </Button>
      </DialogButtons>
    </div>
  )
}
