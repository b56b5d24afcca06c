import { Link } from '@tanstack/react-router'
import { type ReactNode, useState } from 'react'
import type { PersonMail } from '../../../../server/src/http/dashboard/people/schemas.ts'
import { send } from '../../api.ts'
import { formatMinute } from '../../format.ts'
import { Button } from '../../parts/button.tsx'
import { Time } from '../../parts/display/time.tsx'
import { problemOf } from '../../parts/forms/use-form.ts'
import { toast } from '../../parts/overlays/toast.tsx'
import { usePlace } from '../../place.ts'
import { texts } from '../../texts.ts'
import { useRefresh } from '../access/use-refresh.ts'
import { useMaySend } from '../mail/again.tsx'
import { MailBadge } from '../mail/states.tsx'
import { mailStateOf, tellMailKind } from './mails.ts'
import { RecordLine } from './record-line.tsx'

export function MailLine({ mail }: { mail: PersonMail }): ReactNode {
  const { path } = usePlace()
  const { id, kind, to, status, created_at, sent_at, last_error } = mail
  return (
    <RecordLine
      title={<Link to={path('mail', id)}>{tellMailKind(kind)}</Link>}
      badge={<MailBadge status={mailStateOf(status)} />}
      action={<SendAgain mail={mail} />}
    >
      {to !== '' && `${to} · `}
      <Time at={sent_at ?? created_at} now={null} />
      {status === 'dead' && last_error !== null && (
        <span className="block text-failed">{last_error}</span>
      )}
    </RecordLine>
  )
}

/** Includes the time, to tell apart several mails of one kind. */
const nameOf = ({ kind, sent_at, created_at }: PersonMail) =>
  `${tellMailKind(kind)}, ${formatMinute(sent_at ?? created_at)}`

/** For a mail that is not waiting to be sent. */
function SendAgain({ mail }: { mail: PersonMail }): ReactNode {
  const may = useMaySend()
  const { path } = usePlace()
  const refresh = useRefresh()
  const [busy, setBusy] = useState(false)
  if (!may || mail.to === '' || mailStateOf(mail.status) === 'waiting') return null
  async function again() {
    setBusy(true)
    try {
      await send('POST', path('mails', mail.id, 'send-again'))
      toast(texts.mails.againDone(mail.to))
      await refresh()
    } catch (error) {
      toast(problemOf(error), { failed: true })
    } finally {
      setBusy(false)
    }
  }
  return (
    <Button
      look="quiet"
      busy={busy}
      aria-label={texts.common.actionOn(texts.mails.sendAgain, nameOf(mail))}
      onClick={() => void again()}
    >
      {texts.mails.sendAgain}
    </Button>
  )
}
