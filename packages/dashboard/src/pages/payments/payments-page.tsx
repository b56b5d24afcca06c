import { type PaymentItem, SUPPORT } from '@gatehouse/server/dashboard-api'
import { Flag, Wallet } from 'lucide-react'
import { type ReactNode, useState } from 'react'
import { useAppScope } from '../../app-scope.ts'
import { Button } from '../../components/button.tsx'
import { EmptyUntilSold } from '../../components/display/empty-until-sold.tsx'
import { Money } from '../../components/display/money.tsx'
import { Time } from '../../components/display/time.tsx'
import { optionsOf } from '../../components/forms/select.tsx'
import { personColumn, resourceColumn } from '../../components/lists/columns.tsx'
import type { Filter } from '../../components/lists/list-filters.tsx'
import type { Column } from '../../components/lists/list-table.tsx'
import { PERSON_FILTER } from '../../components/lists/person-filter.tsx'
import { RecordListPage } from '../../components/lists/record-list-page.tsx'
import type { MenuItem } from '../../components/overlays/menu.tsx'
import { PersonCell } from '../../components/people/person-cell.tsx'
import { useHashAction } from '../../components/use-hash-action.ts'
import { formatDay, formatMoney } from '../../format.ts'
import { useHasRole } from '../../frame/me.ts'
import { texts } from '../../texts.ts'
import { PAYMENT_COLUMNS } from './columns.tsx'
import { payerLabel, refundableAmount } from './labels.tsx'
import { RefundDialog } from './refund-dialog.tsx'

const words = texts.payments

/** Formats the `price` filter, with which the page of a resource links here: minor units and currency, such as
 * `390-EUR`. */
function formatPrice(value: string): string {
  const [amount, currency = ''] = value.split('-')
  return formatMoney({ amount: Number(amount), currency })
}

const FILTERS: readonly Filter[] = [
  { name: 'status', label: texts.records.state, options: optionsOf(words.states) },
  { name: 'flag', label: words.flag, options: optionsOf(words.flags) },
  { name: 'rid', label: texts.records.resource, isResource: true },
  { name: 'from', label: texts.records.from, day: 'first' },
  { name: 'to', label: texts.records.to, day: 'last' },
  { name: 'money', label: words.money, options: optionsOf(words.moneyMoves) },
  { name: 'first', label: words.firstDay, isDate: true },
  { name: 'last', label: words.lastDay, isDate: true },
  { name: 'currency', label: words.currency },
  { name: 'price', label: words.price, isHidden: true, shown: formatPrice },
  PERSON_FILTER,
]

const COLUMNS: readonly Column<PaymentItem>[] = [
  personColumn<PaymentItem>({
    cell: (payment) => (
      <PersonCell {...payment} fallback={texts.people.erasedName}>
        {payment.flag !== null && <FlagMark flag={payment.flag} />}
        <span className="block font-normal text-soft lg:hidden">
          <span className="sm:hidden">
            <Money value={payment.money} /> ·{' '}
          </span>
          {payment.resource}
        </span>
        <span className="block font-normal text-soft md:hidden">
          <Time at={payment.created * 1000} now={null} />
        </span>
      </PersonCell>
    ),
    csv: payerLabel,
  }),
  resourceColumn('lg'),
  ...PAYMENT_COLUMNS.map((column) => {
    if (column.id === 'amount') return { ...column, right: true, from: 'sm' as const }
    return column.id === 'when' ? { ...column, from: 'md' as const } : column
  }),
]

function FlagMark({ flag }: { flag: NonNullable<PaymentItem['flag']> }): ReactNode {
  return (
    <span
      title={words.flagHints[flag]}
      className="flex items-center gap-1 text-xs font-normal text-ending"
    >
      <Flag size={12} aria-hidden />
      {words.flags[flag]}
    </span>
  )
}

/** Includes amount and day, to tell apart several payments of the same person. */
const nameOf = (payment: PaymentItem) =>
  texts.access.of(
    payerLabel(payment),
    `${formatMoney(payment.money)}, ${formatDay(payment.created * 1000)}`,
  )

/** Offers the refund in the row itself, for those who came to choose a payment. */
const refundColumn = (refund: (payment: PaymentItem) => void): Column<PaymentItem> => ({
  id: 'refund',
  header: words.refund,
  cell: (payment) =>
    refundableAmount(payment).amount > 0 && (
      <Button
        aria-label={texts.common.actionOn(words.refund, nameOf(payment))}
        onClick={() => refund(payment)}
      >
        {words.refund}
      </Button>
    ),
})

export function PaymentsPage(): ReactNode {
  const { path } = useAppScope()
  const canRefund = useHasRole(SUPPORT)
  const [refunding, setRefunding] = useState<PaymentItem>()
  const [isChoosing, setChoosing] = useState(false)
  useHashAction('refund', () => setChoosing(canRefund))
  const columns = isChoosing ? [...COLUMNS, refundColumn(setRefunding)] : COLUMNS
  const menuOf = (payment: PaymentItem): MenuItem[] =>
    refundableAmount(payment).amount > 0
      ? [{ label: words.refund, danger: true, onSelect: () => setRefunding(payment) }]
      : []
  return (
    <>
      <RecordListPage<PaymentItem>
        title={texts.pages.payments}
        {...(isChoosing ? { lead: words.chooseRefund } : {})}
        list="payments"
        filters={FILTERS}
        searchFor={texts.records.searchFor}
        columns={columns}
        keyOf={({ id }) => id}
        nameOf={nameOf}
        hrefOf={({ id }) => path('payments', id)}
        menuOf={canRefund ? menuOf : undefined}
        canExport={canRefund}
        empty={<EmptyUntilSold icon={Wallet} words={words} />}
      />
      <RefundDialog payment={refunding} onClose={() => setRefunding(undefined)} />
    </>
  )
}
