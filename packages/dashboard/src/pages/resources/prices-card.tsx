import { OWNERS, type PriceItem, type ResourceDetails } from '@gatehouse/server/dashboard-api'
import { Link } from '@tanstack/react-router'
import { ExternalLink, Plus } from 'lucide-react'
import { type ReactNode, useState } from 'react'
import { send } from '../../api.ts'
import { type AppScope, useAppScope } from '../../app-scope.ts'
import { Button } from '../../components/button.tsx'
import { Card } from '../../components/display/card.tsx'
import { Copyable } from '../../components/display/copyable.tsx'
import { Notice } from '../../components/display/notice.tsx'
import { linkClass } from '../../components/display/record-links.tsx'
import { Time } from '../../components/display/time.tsx'
import { ConfirmDialog, type DialogState } from '../../components/overlays/confirm-dialog.tsx'
import { MoreMenu } from '../../components/overlays/menu.tsx'
import { toast } from '../../components/overlays/toast.tsx'
import { toastOnError } from '../../components/overlays/toast-on-error.ts'
import { refetchApplication } from '../../components/refetch-application.ts'
import { environmentOf, useHasRole, useMe } from '../../frame/me.ts'
import { ridToApiSegment } from '../../resource-path.ts'
import { texts } from '../../texts.ts'
import { PriceDialog } from './price-dialog.tsx'

interface Props {
  resource: ResourceDetails
  canEdit: boolean
}

export function PricesCard({ resource, canEdit }: Props): ReactNode {
  const [adding, setAdding] = useState(false)
  const { prices, all_prices, archived } = resource
  const archivedPrices = all_prices.filter((price) => price.archived !== null)
  const add = canEdit && (
    <Button icon={Plus} onClick={() => setAdding(true)}>
      {texts.resources.addPrice}
    </Button>
  )
  return (
    <Card title={texts.resources.pricesTitle} action={add}>
      {prices.length === 0 && <p className="text-soft">{texts.resources.pricesEmpty}</p>}
      {prices.length > 0 && (
        <ul className="divide-y divide-line rounded-lg border border-line">
          {prices.map((price) => (
            <PriceRow key={price.id} price={price} resource={resource} canEdit={canEdit} />
          ))}
        </ul>
      )}
      {prices.length > 0 && archived === null && <NotSold />}
      {prices.length > 0 && archived === null && <Checkout url={resource.checkout_url} />}
      {archivedPrices.length > 0 && (
        <ArchivedPrices prices={archivedPrices} resource={resource} canEdit={canEdit} />
      )}
      <PriceDialog open={adding} onClose={() => setAdding(false)} resource={resource} />
    </Card>
  )
}

/** Shown while nobody can pay here. */
function NotSold(): ReactNode {
  const { environment, path } = useAppScope()
  const isOwner = useHasRole(OWNERS)
  if (environmentOf(useMe(), environment).payments !== 'none') return null
  return (
    <Notice tone="ending">
      {texts.resources.notSold}{' '}
      {isOwner && (
        <Link to={path('settings', 'payments')} className="font-medium underline">
          {texts.resources.connectPayments}
        </Link>
      )}
    </Notice>
  )
}

function PriceRow({ price, resource, canEdit }: Props & { price: PriceItem }): ReactNode {
  const [archiving, setArchiving] = useState(false)
  const label = texts.resources.archivePrice
  const items = [{ label, danger: true, onSelect: () => setArchiving(true) }]
  return (
    <li className="flex min-h-12 items-center justify-between gap-3 py-1 pr-1 pl-3">
      <span className="flex flex-wrap items-baseline gap-x-3 gap-y-0.5">
        <span className="font-medium tabular-nums">{price.terms}</span>
        <PaymentsAt price={price} rid={resource.rid} />
      </span>
      {canEdit && <MoreMenu label={texts.resources.priceActions(price.terms)} items={items} />}
      <ArchivePriceDialog
        open={archiving}
        onClose={() => setArchiving(false)}
        price={price}
        resource={resource}
      />
    </li>
  )
}

/** Leads to what was paid at a price, to compare how prices sell. */
function PaymentsAt({ price, rid }: { price: PriceItem; rid: string }): ReactNode {
  const { path } = useAppScope()
  const { amount, currency } = price.amount
  return (
    <Link
      to={path('payments')}
      search={{ rid, price: `${amount}-${currency}` } as never}
      aria-label={texts.common.actionOn(texts.resources.paymentsAt, price.terms)}
      className={linkClass}
    >
      {texts.resources.paymentsAt}
    </Link>
  )
}

interface ArchiveProps extends DialogState {
  price: PriceItem
  resource: ResourceDetails
}

function ArchivePriceDialog({ price, resource, ...state }: ArchiveProps): ReactNode {
  const scope = useAppScope()
  return (
    <ConfirmDialog
      {...state}
      title={texts.resources.archivePriceTitle(price.terms)}
      effect={[
        texts.resources.archivePriceEffect(resource.prices.length - 1),
        texts.resources.archivePriceStays,
      ]}
      action={texts.resources.archivePrice}
      onConfirm={async () => {
        await send('POST', pricePath(scope, resource, price, 'archive'))
        toast(texts.resources.archivedPrice(price.terms))
        await refetchApplication(scope)
      }}
    />
  )
}

const pricePath = (
  scope: AppScope,
  { rid }: ResourceDetails,
  { id }: PriceItem,
  verb: 'archive' | 'restore',
) => scope.path('resources', ridToApiSegment(rid), 'prices', id, verb)

/** Restores without asking, because it can be undone. */
async function restorePrice(
  scope: AppScope,
  resource: ResourceDetails,
  price: PriceItem,
): Promise<void> {
  await send('POST', pricePath(scope, resource, price, 'restore'))
  toast(texts.resources.restoredPrice(price.terms))
  await refetchApplication(scope)
}

function Checkout({ url }: { url: string }): ReactNode {
  return (
    <div className="grid gap-1">
      <span className="text-soft">{texts.resources.checkout}</span>
      <div className="flex items-start gap-1">
        <div className="min-w-0 flex-1">
          <Copyable boxed value={url} label={texts.resources.checkoutWhat} />
        </div>
        <a
          href={url}
          target="_blank"
          rel="noreferrer"
          title={texts.resources.checkoutOpen}
          aria-label={texts.resources.checkoutOpen}
          className="inline-grid size-10 shrink-0 place-items-center rounded-lg text-soft hover:bg-hover hover:text-ink"
        >
          <ExternalLink size={16} aria-hidden />
        </a>
      </div>
    </div>
  )
}

function ArchivedPrices({
  prices,
  resource,
  canEdit,
}: Props & { prices: readonly PriceItem[] }): ReactNode {
  const scope = useAppScope()
  return (
    <details>
      <summary className="py-0.5 text-soft">
        {texts.resources.archivedPrices(prices.length)}
      </summary>
      <ul className="mt-2 grid gap-1 text-soft">
        {prices.map((price) => (
          <li key={price.id} className="flex flex-wrap items-center justify-between gap-2">
            <span>
              {price.terms} · {texts.resources.since}{' '}
              <Time day at={(price.archived ?? 0) * 1000} now={null} />
            </span>
            {canEdit && (
              <Button
                variant="quiet"
                aria-label={texts.common.actionOn(texts.resources.restorePrice, price.terms)}
                onClick={() => toastOnError(restorePrice(scope, resource, price))}
              >
                {texts.resources.restorePrice}
              </Button>
            )}
          </li>
        ))}
      </ul>
    </details>
  )
}
