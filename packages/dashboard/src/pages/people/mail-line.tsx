import type { PersonMail } from '@gatehouse/server/dashboard-api'
import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { send } from '../../api.ts'
import { useAppScope } from '../../app-scope.ts'
import { ActionButton } from '../../components/action-button.tsx'
import { Time } from '../../components/display/time.tsx'
import { toast } from '../../components/overlays/toast.tsx'
import { formatMinute } from '../../format.ts'
import { texts } from '../../texts.ts'
import { useRefetch } from '../access/use-refetch.ts'
import { MailBadge } from '../mail/labels.tsx'
import { useCanResend } from '../mail/resend.tsx'
import { mailKindLabel, mailStateOf } from './mail-labels.ts'
import { RecordLine } from './record-line.tsx'

export function MailLine({ mail }: { mail: PersonMail }): ReactNode {
  const { path } = useAppScope()
  const { id, to, status, created_at, sent_at, last_error } = mail
  const isUnsent = status === 'dead' || status === 'queued'
  return (
    <RecordLine
      title={<Link to={path('mail', id)}>{titleOf(mail)}</Link>}
      badge={<MailBadge state={mailStateOf(status)} />}
      action={<SendAgain mail={mail} />}
    >
      {to !== '' && `${to} · `}
      <Time at={sent_at ?? created_at} now={null} />
      {isUnsent && last_error !== null && (
        <span className="block wrap-anywhere text-failed">{texts.mails.lastError(last_error)}</span>
      )}
    </RecordLine>
  )
}

/** Names what it is about, to tell apart several receipts. */
const titleOf = ({ kind, resource }: PersonMail) =>
  resource === '' ? mailKindLabel(kind) : texts.access.of(mailKindLabel(kind), resource)

/** Includes the time, to tell apart several mails of one kind. */
const nameOf = (mail: PersonMail) =>
  `${titleOf(mail)}, ${formatMinute(mail.sent_at ?? mail.created_at)}`

/** For a mail that is not waiting to be sent. */
function SendAgain({ mail }: { mail: PersonMail }): ReactNode {
  const canResend = useCanResend()
  const { path } = useAppScope()
  const refresh = useRefetch()
  if (!canResend || mail.to === '' || mailStateOf(mail.status) === 'waiting') return null
  const { id, to, resend_to } = mail
  // Says where it goes, if that is not the address beside it.
  const label = resend_to === to ? texts.mails.sendAgain : texts.mails.sendAgainTo(resend_to)
  async function again() {
    await send('POST', path('mails', id, 'send-again'))
    toast(texts.mails.againDone(resend_to))
    await refresh()
  }
  return (
    <ActionButton
      variant="quiet"
      aria-label={texts.common.actionOn(label, nameOf(mail))}
      action={again}
    >
      {label}
    </ActionButton>
  )
}
