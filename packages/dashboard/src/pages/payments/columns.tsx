import type { PaymentItem } from '@gatehouse/server/dashboard-api'
import { Money } from '../../components/display/money.tsx'
import { Time } from '../../components/display/time.tsx'
import type { Column } from '../../components/lists/list-table.tsx'
import { formatMinute, formatMoney } from '../../format.ts'
import { texts } from '../../texts.ts'
import { PaymentBadge } from './labels.tsx'

/** The columns that all payment lists share. */
export const PAYMENT_COLUMNS: readonly Column<PaymentItem>[] = [
  {
    id: 'amount',
    sort: { by: 'amount', downFirst: true },
    header: texts.payments.amount,
    cell: ({ money, created }) => (
      <>
        <Money value={money} />
        <span className="block font-normal text-soft sm:hidden">
          <Time at={created * 1000} now={null} />
        </span>
      </>
    ),
    csv: ({ money }) => formatMoney(money),
  },
  {
    id: 'state',
    header: texts.records.state,
    cell: ({ status }) => <PaymentBadge state={status} />,
    csv: ({ status }) => texts.payments.states[status],
  },
  {
    id: 'when',
    sort: { by: 'created', downFirst: true },
    header: texts.payments.when,
    cell: ({ created }) => <Time at={created * 1000} now={null} />,
    csv: ({ created }) => formatMinute(created * 1000),
    from: 'sm',
  },
]
