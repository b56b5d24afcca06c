import type { MailContent, MailDetails } from '@gatehouse/server/dashboard-api'
import { type ReactNode, useState } from 'react'
import { useAppScope } from '../../app-scope.ts'
import { Button } from '../../components/button.tsx'
import { Card } from '../../components/display/card.tsx'
import { Copyable } from '../../components/display/copyable.tsx'
import { DescriptionList } from '../../components/display/description-list.tsx'
import { HtmlFrame } from '../../components/display/html-frame.tsx'
import { Notice } from '../../components/display/notice.tsx'
import { PersonLink } from '../../components/display/record-links.tsx'
import { type RecordProps, recordPage } from '../../components/display/record-page.tsx'
import { Tabs } from '../../components/display/tabs.tsx'
import { Time } from '../../components/display/time.tsx'
import { formatNumber } from '../../format.ts'
import { useNow } from '../../frame/me.ts'
import { Page } from '../../frame/page.tsx'
import { texts } from '../../texts.ts'
import { MailBadge, mailKindLabel, recipientOf } from './labels.tsx'
import { isResendable, ResendDialog, useCanResend } from './resend.tsx'

const words = texts.mails

export const MailPage = recordPage('mails', MailView)

function MailView({ record: mail }: RecordProps<MailDetails>): ReactNode {
  const { path } = useAppScope()
  const canResend = useCanResend() && isResendable(mail)
  const [asked, setAsked] = useState(false)
  const { status, last_error, content, problem } = mail
  return (
    <Page
      title={content?.subject ?? mailKindLabel(mail)}
      beside={<MailBadge state={status} />}
      back={{ to: path('mail'), label: texts.pages.mail }}
      action={canResend && <Button onClick={() => setAsked(true)}>{words.sendAgain}</Button>}
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
      <ResendDialog mail={asked ? mail : undefined} onClose={() => setAsked(false)} />
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
          content: <HtmlFrame title={words.preview(subject)} html={html} />,
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
          content: (
            <DescriptionList facts={headers.map(({ name, value }) => ({ label: name, value }))} />
          ),
        },
      ]}
    />
  )
}

function MailFacts({ mail }: { mail: MailDetails }): ReactNode {
  const { uid, attempts, created_at, due_at, sent_at, id } = mail
  const now = useNow()
  return (
    <DescriptionList
      facts={[
        { label: words.to, value: <PersonLink uid={uid}>{recipientOf(mail)}</PersonLink> },
        { label: words.kind, value: mailKindLabel(mail) },
        { label: words.created, value: <Time at={created_at} now={now} /> },
        sent_at !== null && { label: words.sent, value: <Time at={sent_at} now={now} /> },
        due_at !== null && { label: words.nextTry, value: <Time at={due_at} now={now} /> },
        attempts > 0 && { label: words.tries, value: formatNumber(attempts) },
        { label: texts.records.id, value: <Copyable value={id} label={texts.records.id} /> },
      ]}
    />
  )
}
