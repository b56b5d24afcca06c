import { type ReactNode, useState } from 'react'
import type {
  MailContent,
  MailDetails,
} from '../../../../server/src/http/dashboard/mail/schemas.ts'
import { formatNumber } from '../../format.ts'
import { Page } from '../../frame/page.tsx'
import { Button } from '../../parts/button.tsx'
import { Card } from '../../parts/display/card.tsx'
import { Copyable } from '../../parts/display/copyable.tsx'
import { Facts } from '../../parts/display/facts.tsx'
import { MailFrame } from '../../parts/display/mail-frame.tsx'
import { Notice } from '../../parts/display/notice.tsx'
import { PersonLink } from '../../parts/display/record-links.tsx'
import { Recorded } from '../../parts/display/record-page.tsx'
import { Tabs } from '../../parts/display/tabs.tsx'
import { Time } from '../../parts/display/time.tsx'
import { usePlace } from '../../place.ts'
import { texts } from '../../texts.ts'
import { AgainDialog, canGoAgain, useMaySend } from './again.tsx'
import { kindOf, MailBadge, receiverOf } from './states.tsx'

const words = texts.mails

export function MailPage(): ReactNode {
  return <Recorded<MailDetails> list="mails">{(mail) => <Shown mail={mail} />}</Recorded>
}

function Shown({ mail }: { mail: MailDetails }): ReactNode {
  const { path } = usePlace()
  const mayAgain = useMaySend() && canGoAgain(mail)
  const [asked, setAsked] = useState(false)
  const { status, last_error, content, problem } = mail
  return (
    <Page
      title={content?.subject ?? kindOf(mail)}
      beside={<MailBadge status={status} />}
      back={{ to: path('mail'), label: texts.pages.mail }}
      action={mayAgain && <Button onClick={() => setAsked(true)}>{words.sendAgain}</Button>}
    >
      {status === 'dead' && <Notice tone="failed">{words.dead}</Notice>}
      {status !== 'sent' && last_error !== null && (
        <Notice tone="ending">{words.lastError(last_error)}</Notice>
      )}
      <div className="grid items-start gap-5 lg:grid-cols-[minmax(0,1fr)_22rem]">
        <Card title={words.content}>
          {content === null ? (
            <p className="text-soft">{words.cannotShow(problem ?? '')}</p>
          ) : (
            <Content content={content} />
          )}
        </Card>
        <Card title={words.about}>
          <MailFacts mail={mail} />
        </Card>
      </div>
      <AgainDialog mail={asked ? mail : undefined} onClose={() => setAsked(false)} />
    </Page>
  )
}

function Content({
  content: { subject, html, text, headers },
}: {
  content: MailContent
}): ReactNode {
  return (
    <Tabs
      label={words.content}
      tabs={[
        {
          id: 'html',
          label: words.views.html,
          content: <MailFrame title={words.preview(subject)} html={html} />,
        },
        {
          id: 'text',
          label: words.views.text,
          content: (
            <pre className="rounded-lg border border-line bg-paper p-3 font-mono text-[0.8125rem] whitespace-pre-wrap">
              {text}
            </pre>
          ),
        },
        {
          id: 'headers',
          label: words.views.headers,
          content: <Facts facts={headers.map(({ name, value }) => ({ label: name, value }))} />,
        },
      ]}
    />
  )
}

function MailFacts({ mail }: { mail: MailDetails }): ReactNode {
  const { uid, attempts, created_at, due_at, sent_at, id } = mail
  return (
    <Facts
      facts={[
        { label: words.to, value: <PersonLink uid={uid}>{receiverOf(mail)}</PersonLink> },
        { label: words.kind, value: kindOf(mail) },
        { label: words.created, value: <Time at={created_at} /> },
        sent_at !== null && { label: words.sent, value: <Time at={sent_at} /> },
        due_at !== null && { label: words.nextTry, value: <Time at={due_at} /> },
        attempts > 0 && { label: words.tries, value: formatNumber(attempts) },
        { label: texts.records.id, value: <Copyable value={id} what={texts.records.id} /> },
      ]}
    />
  )
}
