import type { Attention } from '@gatehouse/server/dashboard-api'
import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { useAppScope } from '../../app-scope.ts'
import { Notice } from '../../components/display/notice.tsx'
import { formatMoney } from '../../format.ts'
import { texts } from '../../texts.ts'

/** Differences between the payment provider's ledger and ours that staff have to look at. */
export function AttentionList({ items }: { items: readonly Attention[] }): ReactNode {
  if (items.length === 0) return null
  return (
    <Notice tone="ending">
      <h2 className="font-medium">{texts.overview.attention}</h2>
      <ul className="list-disc pl-4">
        {items.map((item) => (
          <Item key={item.id} item={item} />
        ))}
      </ul>
      <p>{texts.overview.attentionHint}</p>
    </Notice>
  )
}

function Item({ item }: { item: Attention }): ReactNode {
  const { path } = useAppScope()
  const { kind, money, provider_ref: ref, payment } = item
  return (
    <li>
      {money && `${formatMoney(money)}: `}
      {texts.overview.attentionKinds[kind]} {ref !== null && texts.overview.attentionRef(ref)}{' '}
      {payment !== null && (
        <Link to={path(`payments/${payment}`)} className="underline">
          {texts.overview.openPayment}
        </Link>
      )}
    </li>
  )
}
