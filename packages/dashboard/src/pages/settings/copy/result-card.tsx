import type { PairedApplication } from '@gatehouse/server/dashboard-api'
import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { createAppScope, type EnvironmentName } from '../../../app-scope.ts'
import { Button, buttonClass } from '../../../components/button.tsx'
import { Card } from '../../../components/display/card.tsx'
import { Notice } from '../../../components/display/notice.tsx'
import { useBusy } from '../../../components/use-action.ts'
import { texts } from '../../../texts.ts'
import { ItemNames } from './item-names.tsx'
import { keyOf, nameOf } from './items.ts'
import type { EndedCopy } from './use-copy.ts'

const words = texts.copying

interface Props extends EndedCopy {
  environment: EnvironmentName
  pair: PairedApplication
  onAgain: () => Promise<void>
}

/** The items that were copied, and those that were not, with the reason. */
export function ResultCard({
  items,
  total,
  isComplete,
  environment,
  pair,
  onAgain,
}: Props): ReactNode {
  const there = createAppScope(environment, pair.aid)
  const failed = items.filter(({ problem }) => problem !== null)
  const copied = items.filter(({ problem }) => problem === null)
  const { busy, whileBusy } = useBusy()
  return (
    <Card title={isComplete && failed.length === 0 ? words.done : words.doneWithProblems}>
      <p role="status">{words.doneLead(copied.length, environment)}</p>
      {copied.length > 0 && <ItemNames className="text-soft" items={copied} />}
      {!isComplete && <Notice tone="ending">{words.stopped(items.length, total)}</Notice>}
      {failed.length > 0 && (
        <Notice tone="failed">
          <p>{words.failed(failed.length)}</p>
          <ul className="grid gap-0.5">
            {failed.map((item) => (
              <li key={keyOf(item)} className="wrap-anywhere">
                {nameOf(item)}: {item.problem && words.problems[item.problem]}
              </li>
            ))}
          </ul>
        </Notice>
      )}
      <div className="flex flex-wrap gap-2">
        <Link to={there.path('resources')} className={buttonClass('primary')}>
          {words.openResources(environment)}
        </Link>
        <Button busy={busy} onClick={() => void whileBusy(onAgain)}>
          {words.again}
        </Button>
      </div>
    </Card>
  )
}
