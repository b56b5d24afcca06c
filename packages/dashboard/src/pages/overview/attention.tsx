import type { Attention, Count, Overview } from '@gatehouse/server/dashboard-api'
import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { useAppScope } from '../../app-scope.ts'
import { Notice } from '../../components/display/notice.tsx'
import { formatMoney } from '../../format.ts'
import { texts } from '../../texts.ts'
import { LinkToList } from './list-links.tsx'

const words = texts.overview

/** The problems that staff have to look at: each line leads to its records. */
export function AttentionList({ overview }: { overview: Overview }): ReactNode {
  const { past_due, disputed, mismatched, failed_mails, payment_problems, attention } = overview
  const lines = [
    { counted: past_due, text: words.pastDue },
    { counted: disputed, text: words.disputed },
    { counted: mismatched, text: words.mismatched },
    { counted: failed_mails, text: words.mailsFailed },
  ].filter(({ counted }) => counted.count > 0)
  if (lines.length + payment_problems.length + attention.length === 0) return null
  return (
    <Notice tone="ending">
      <h2 className="font-medium">{words.attention}</h2>
      <ul className="list-disc pl-4">
        {payment_problems.map((text) => (
          <li key={text}>{text}</li>
        ))}
        {lines.map(({ counted, text }) => (
          <Line key={counted.list.page + text(2)} counted={counted} text={text(counted.count)} />
        ))}
        {attention.map((item) => (
          <Finding key={item.id} item={item} />
        ))}
      </ul>
      {attention.length > 0 && <p>{words.attentionHint}</p>}
    </Notice>
  )
}

function Line({ counted, text }: { counted: Count; text: string }): ReactNode {
  return (
    <li>
      {text}{' '}
      <LinkToList
        list={counted.list}
        aria-label={`${text} ${words.openList}`}
        className="underline"
      >
        {words.openList}
      </LinkToList>
    </li>
  )
}

function Finding({ item }: { item: Attention }): ReactNode {
  const { path } = useAppScope()
  const { kind, money, provider_ref: ref, payment } = item
  return (
    <li>
      {money && `${formatMoney(money)}: `}
      {words.attentionKinds[kind]} {ref !== null && words.attentionRef(ref)}{' '}
      {payment !== null && (
        <Link to={path(`payments/${payment}`)} className="underline">
          {words.openPayment}
        </Link>
      )}
    </li>
  )
}
