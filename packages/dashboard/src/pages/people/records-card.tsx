import {
  type PaymentItem,
  type PersonDetails,
  type PersonDownload,
  SUPPORT,
  type SubscriptionItem,
} from '@gatehouse/server/dashboard-api'
import { Link } from '@tanstack/react-router'
import { Fragment, type ReactNode } from 'react'
import { useAppScope } from '../../app-scope.ts'
import { StateBadge } from '../../components/display/state-badge.tsx'
import { Tabs } from '../../components/display/tabs.tsx'
import { Time } from '../../components/display/time.tsx'
import { formatBytes, formatMoney } from '../../format.ts'
import { useHasRole, useNow, useTimeZone } from '../../frame/me.ts'
import { texts } from '../../texts.ts'
import { failureOf, PaymentBadge } from '../payments/labels.tsx'
import { AccountLinkButton } from '../subscriptions/account-link.tsx'
import { describePrice, nextEventLabel, SubscriptionBadge } from '../subscriptions/labels.tsx'
import { MailLine } from './mail-line.tsx'
import { RecordLine, RecordList } from './record-line.tsx'
import type { ResourceNameOf } from './timeline-text.ts'

interface Props {
  details: PersonDetails
  nameOf: ResourceNameOf
}

/** Subscriptions, payments, downloads and mails of a person. */
export function RecordsCard({ details, nameOf }: Props): ReactNode {
  const { subscriptions, payments, downloads, mails } = details
  const { people, pages } = texts
  /** A tab with a line per record. */
  const tab = <R extends { id: string }>(
    id: keyof typeof pages,
    records: readonly R[],
    none: string,
    line: (record: R) => ReactNode,
    hint?: string,
  ) => ({
    id,
    label: people.tab(pages[id], records.length),
    content: (
      <>
        <RecordList none={none}>
          {records.map((record) => (
            <Fragment key={record.id}>{line(record)}</Fragment>
          ))}
        </RecordList>
        {hint !== undefined && <p className="py-2 text-soft">{hint}</p>}
      </>
    ),
    isEmpty: records.length === 0,
  })
  const tabs = [
    tab('subscriptions', subscriptions, people.noSubscriptions, (one) => (
      <SubscriptionLine subscription={one} />
    )),
    tab('payments', payments, people.noPayments, (one) => <PaymentLine payment={one} />),
    tab(
      'downloads',
      downloads,
      people.noDownloads,
      (one) => <DownloadLine download={one} nameOf={nameOf} />,
      people.filesHint,
    ),
    tab('mail', mails, people.noMails, (one) => <MailLine mail={one} />),
  ]
  return (
    <section
      aria-label={people.records}
      className="min-w-0 rounded-xl border border-line bg-card p-4 shadow-card sm:p-5"
    >
      <Tabs label={people.records} tabs={tabs} first={tabs.find(({ isEmpty }) => !isEmpty)?.id} />
    </section>
  )
}

function SubscriptionLine({ subscription }: { subscription: SubscriptionItem }): ReactNode {
  const { path } = useAppScope()
  const canSupport = useHasRole(SUPPORT)
  const zone = useTimeZone()
  const { id, resource, status } = subscription
  return (
    <RecordLine
      title={<Link to={path('subscriptions', id)}>{resource}</Link>}
      badge={<SubscriptionBadge state={status} />}
      action={canSupport && <AccountLinkButton subscription={subscription} variant="quiet" />}
    >
      {describePrice(subscription)} · {nextEventLabel(subscription, zone)}
    </RecordLine>
  )
}

function PaymentLine({ payment }: { payment: PaymentItem }): ReactNode {
  const { path } = useAppScope()
  const { id, money, refunded, resource, status, created } = payment
  return (
    <RecordLine
      title={<Link to={path('payments', id)}>{formatMoney(money)}</Link>}
      badge={<PaymentBadge state={status} />}
    >
      {resource} · <Time at={created * 1000} now={null} />
      {refunded.amount > 0 && <> · {texts.people.refundedSum(formatMoney(refunded))}</>}
      {status === 'failed' && <span className="block">{failureOf(payment)}</span>}
    </RecordLine>
  )
}

function DownloadLine({
  download,
  nameOf,
}: {
  download: PersonDownload
  nameOf: ResourceNameOf
}): ReactNode {
  const now = useNow()
  const { rid, at, bytes, outcome } = download
  return (
    <RecordLine
      title={nameOf(rid)}
      badge={
        <StateBadge state={outcome === 'partial' ? 'ending' : 'live'}>
          {texts.people.download[outcome]}
        </StateBadge>
      }
    >
      {formatBytes(bytes)} · <Time at={at * 1000} now={now} />
    </RecordLine>
  )
}
