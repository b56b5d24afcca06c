import type { Money as Amount } from '@gatehouse/server/dashboard-api'
import type { ReactNode } from 'react'
import { formatMoney } from '../../format.ts'

export function Money({ value }: { value: Amount }): ReactNode {
  return (
    <data value={value.amount} className="whitespace-nowrap">
      {formatMoney(value)}
    </data>
  )
}
