import type { ActivityItem } from '@gatehouse/server/dashboard-api'
import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { useAppScope } from '../../app-scope.ts'
import { Card } from '../../components/display/card.tsx'
import { Time } from '../../components/display/time.tsx'
import { formatMoney } from '../../format.ts'
import { useNow } from '../../frame/me.ts'
import { texts } from '../../texts.ts'

const words = texts.figures

/** The latest activity of readers; each item links to its page. */
export function ActivityCard({ items }: { items: readonly ActivityItem[] }): ReactNode {
  const { path } = useAppScope()
  const now = useNow()
  return (
    <Card title={words.activity}>
      {items.length === 0 && <p className="text-soft">{words.noActivity}</p>}
      <ul className="divide-y divide-line">
        {items.map((item) => (
          <li
            key={`${item.kind} ${item.record.id} ${item.at}`}
            className="flex flex-wrap justify-between gap-x-4 py-2 first:pt-0 last:pb-0"
          >
            <Link
              to={path(item.record.page, item.record.id)}
              className="min-w-0 break-words hover:underline"
            >
              {words.happened[item.kind](
                item.person || words.somebody,
                formatMoney(item.money),
                item.resource,
              )}
            </Link>
            <span className="text-soft">
              <Time at={item.at * 1000} now={now} />
            </span>
          </li>
        ))}
      </ul>
    </Card>
  )
}
