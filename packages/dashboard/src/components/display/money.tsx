import type { ReactNode } from 'react'
import type { Money as Amount } from '../../../../server/src/http/dashboard/schemas.ts'
import { formatMoney } from '../../format.ts'

export function Money({ value }: { value: Amount }): ReactNode {
  return (
    <data value={value.amount} className="whitespace-nowrap">
      {formatMoney(value)}
    </data>
  )
}
