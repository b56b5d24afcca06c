import type {
  CopyBody,
  CopyItem,
  CopyView,
  PairedApplication,
} from '@gatehouse/server/dashboard-api'
import { type ReactNode, useState } from 'react'
import { type EnvironmentName, useAppScope } from '../../../app-scope.ts'
import { Button } from '../../../components/button.tsx'
import { Card } from '../../../components/display/card.tsx'
import { Notice } from '../../../components/display/notice.tsx'
import { badgeOf } from '../../../components/display/state-badge.tsx'
import { Checkbox } from '../../../components/forms/checkbox.tsx'
import { ConfirmDialog } from '../../../components/overlays/confirm-dialog.tsx'
import { texts } from '../../../texts.ts'
import { ItemNames } from './item-names.tsx'
import { canBeCopied, describeChange, keyOf, nameOf } from './items.ts'

const words = texts.copying

interface Props {
  view: CopyView
  environment: EnvironmentName
  pair: PairedApplication
  /** The keys of the items that staff have unticked. */
  unticked: ReadonlySet<string>
  onTick: (unticked: ReadonlySet<string>) => void
  onCopy: (body: CopyBody) => Promise<void>
}

const bodyOf = (view: CopyView, chosen: readonly CopyItem[], isAll: boolean): CopyBody => ({
  version: view.version,
  ...(isAll
    ? {}
    : { rids: chosen.filter(({ kind }) => kind === 'resource').map(({ rid }) => rid) }),
  brand: chosen.some(({ kind }) => kind === 'brand'),
  templates: chosen.some(({ kind }) => kind === 'templates'),
})

/** The changes to copy, with a checkbox for each item, and the button that copies the checked ones. */
export function PreviewCard(props: Props): ReactNode {
  const { view, environment, pair, unticked, onTick } = props
  const due = view.items.filter(canBeCopied)
  const blocked = view.items.filter(({ status }) => status === 'blocked')
  const same = view.items.filter(({ status }) => status === 'same')
  const chosen = due.filter((item) => !unticked.has(keyOf(item)))
  const tick = (items: readonly CopyItem[], isTicked: boolean) => {
    const next = new Set(unticked)
    for (const item of items) isTicked ? next.delete(keyOf(item)) : next.add(keyOf(item))
    onTick(next)
  }
  const someChosen = chosen.length > 0 ? 'indeterminate' : false
  return (
    <Card
      title={words.previewTitle}
      {...(due.length > 0 ? { lead: words.previewLead(pair.name ?? '', environment) } : {})}
    >
      {due.length === 0 && (
        <Notice>{blocked.length > 0 ? words.restSame : words.allSame(environment)}</Notice>
      )}
      {view.currencies && due.length > 0 && (
        <Notice tone="ending">
          {words.currencies(view.currencies.from, view.currencies.to, environment)}
        </Notice>
      )}
      {due.length > 1 && (
        <div className="flex items-center justify-between gap-3 border-b border-line pb-3">
          <Checkbox
            label={words.all}
            checked={chosen.length === due.length || someChosen}
            onCheckedChange={(isTicked) => tick(due, isTicked)}
          />
          <span className="text-soft tabular-nums">{words.chosen(chosen.length, due.length)}</span>
        </div>
      )}
      <ul className="grid divide-y divide-line">
        {[...due, ...blocked].map((item) => (
          <Row
            key={keyOf(item)}
            item={item}
            environment={environment}
            isTicked={canBeCopied(item) && !unticked.has(keyOf(item))}
            onTick={(isTicked) => tick([item], isTicked)}
          />
        ))}
      </ul>
      <Rest same={same} onlyThere={view.only_in_target} environment={environment} />
      {due.length > 0 && (
        <CopyButton {...props} chosen={chosen} isAll={chosen.length === due.length} />
      )}
    </Card>
  )
}

const StatusBadge = badgeOf<CopyItem['status']>(words.statuses, {
  new: 'live',
  changed: 'ending',
  same: 'ended',
  blocked: 'failed',
})

interface RowProps {
  item: CopyItem
  environment: EnvironmentName
  isTicked: boolean
  onTick: (isTicked: boolean) => void
}

function Row({ item, environment, isTicked, onTick }: RowProps): ReactNode {
  const here = useAppScope()
  const name = nameOf(item)
  const { obstacle, changes } = item
  return (
    <li className="flex gap-3 py-3 first:pt-0 last:pb-0">
      <span className="grid h-6 place-items-center">
        <Checkbox
          bare
          label={words.choose(name)}
          checked={isTicked}
          disabled={!canBeCopied(item)}
          onCheckedChange={onTick}
        />
      </span>
      <div className="grid min-w-0 flex-1 gap-1">
        <div className="flex flex-wrap items-center justify-between gap-x-3 gap-y-1">
          <h3 className="min-w-0 font-medium wrap-anywhere">{name}</h3>
          <StatusBadge state={item.status} />
        </div>
        {obstacle !== null && (
          <p className="text-soft">{words.obstacles(here.environment, environment)[obstacle]}</p>
        )}
        {changes.length > 0 && (
          <ul className="grid gap-0.5 text-soft">
            {changes.map((change, i) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: the changes of an item don't move.
              <li key={i} className="wrap-anywhere">
                {describeChange(item, change)}
              </li>
            ))}
          </ul>
        )}
      </div>
    </li>
  )
}

interface RestProps {
  same: readonly CopyItem[]
  onlyThere: number
  environment: EnvironmentName
}

/** The items that stay as they are. */
function Rest({ same, onlyThere, environment }: RestProps): ReactNode {
  return (
    <>
      {same.length > 0 && (
        <details className="text-soft">
          <summary className="w-fit py-0.5 hover:text-ink">{words.same(same.length)}</summary>
          <ItemNames items={same} className="pt-1 pl-4" />
        </details>
      )}
      {onlyThere > 0 && <p className="text-soft">{words.onlyThere(onlyThere, environment)}</p>}
    </>
  )
}

type ButtonProps = Props & { chosen: readonly CopyItem[]; isAll: boolean }

function CopyButton({ view, environment, chosen, isAll, onCopy }: ButtonProps): ReactNode {
  const [asking, setAsking] = useState(false)
  const created = chosen.filter(({ status }) => status === 'new').length
  return (
    <div>
      <Button variant="primary" disabled={chosen.length === 0} onClick={() => setAsking(true)}>
        {words.go(chosen.length, environment)}
      </Button>
      <ConfirmDialog
        open={asking}
        onClose={() => setAsking(false)}
        title={words.ask(chosen.length, environment)}
        effect={[words.effect(created, chosen.length - created), words.effectReaders[environment]]}
        action={words.confirm}
        variant="primary"
        onConfirm={async () => {
          void onCopy(bodyOf(view, chosen, isAll))
        }}
      />
    </div>
  )
}
