import type { RefundItem } from '@gatehouse/server/dashboard-api'
import type { ReactNode } from 'react'
import { Money } from '../../components/display/money.tsx'
import { Time } from '../../components/display/time.tsx'
import { useMe, useNow } from '../../frame/me.ts'
import { useColleagueName } from '../../frame/use-colleagues.ts'
import { texts } from '../../texts.ts'
import { RefundBadge } from './labels.tsx'
import { Waiting } from './waiting.tsx'

/** Returns the name of the actor who requested a refund. */
function useActorName(): (actor: string) => string {
  const me = useMe().staff
  const colleagueName = useColleagueName()
  return (actor) => {
    if (actor === `staff:${me.id}`) return me.name
    if (actor.startsWith('staff:')) return colleagueName(actor) ?? texts.payments.team
    if (actor.startsWith('token:')) return colleagueName(actor) ?? texts.payments.program
    return texts.payments.actors[actor] ?? actor
  }
}

/** Lists refunds with who requested them and their states. */
export function Refunds({ refunds }: { refunds: readonly RefundItem[] }): ReactNode {
  const now = useNow()
  const actorName = useActorName()
  if (refunds.length === 0) return <p className="text-soft">{texts.payments.noRefunds}</p>
  return (
    <ul className="grid gap-3">
      {refunds.map(({ id, money, status, created, actor, reason, ...order }) => (
        <li key={id} className="grid gap-1 not-first:border-t not-first:border-line not-first:pt-3">
          <div className="flex flex-wrap items-center justify-between gap-2">
            <strong className="font-medium">
              <Money value={money} />
            </strong>
            <RefundBadge state={status} />
          </div>
          <div className="text-soft">
            <Time at={created * 1000} now={now} /> · {actorName(actor)}
            {reason !== null && ` · ${texts.payments.reasons[reason] ?? reason}`}
          </div>
          <Waiting order={order} />
        </li>
      ))}
    </ul>
  )
}
