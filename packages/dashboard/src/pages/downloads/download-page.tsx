import { useQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { Link2 } from 'lucide-react'
import { type ReactNode, useState } from 'react'
import type {
  ShownDelivery,
  ShownDownload,
} from '../../../../server/src/http/dashboard/downloads/schemas.ts'
import { EDITORS, SUPPORT } from '../../../../server/src/http/dashboard/route.ts'
import type { Page as Listed } from '../../../../server/src/http/dashboard/schemas.ts'
import { get, keys, send } from '../../api.ts'
import { formatBytes } from '../../format.ts'
import { useMay } from '../../frame/me.ts'
import { Page } from '../../frame/page.tsx'
import { Button } from '../../parts/button.tsx'
import { Notice } from '../../parts/display/notice.tsx'
import { Recorded } from '../../parts/display/record-page.tsx'
import { ConfirmDialog } from '../../parts/overlays/confirm-dialog.tsx'
import { type MenuItem, MoreMenu } from '../../parts/overlays/menu.tsx'
import { toast } from '../../parts/overlays/toast.tsx'
import { told } from '../../parts/overlays/toast-on-error.ts'
import { refresh } from '../../parts/refresh.ts'
import { usePlace } from '../../place.ts'
import { texts } from '../../texts.ts'
import { AboutCard } from './about-card.tsx'
import { publish } from './change.ts'
import { DeliveriesCard } from './deliveries-card.tsx'
import { FileCard } from './file-card.tsx'
import { LinkDialog } from './link-dialog.tsx'
import { PublishedBadge } from './states.tsx'

const words = texts.downloads

export function DownloadPage(): ReactNode {
  return (
    <Recorded<ShownDownload> list="downloads">
      {(download) => <Shown key={download.id} download={download} />}
    </Recorded>
  )
}

const FEW = 8

function useDeliveries(rid: string): Listed<ShownDelivery> | undefined {
  const { environment, aid, path } = usePlace()
  const asked = { rid, pagesize: FEW }
  const { data } = useQuery({
    queryKey: keys.of(environment, aid, 'deliveries', asked),
    queryFn: ({ signal }) => get<Listed<ShownDelivery>>(path('deliveries'), asked, signal),
  })
  return data
}

function Shown({ download }: { download: ShownDownload }): ReactNode {
  const place = usePlace()
  const mayEdit = useMay(EDITORS)
  const mayLink = useMay(SUPPORT)
  const [asked, setAsked] = useState<'link' | 'remove'>()
  const deliveries = useDeliveries(download.rid)
  const isPublished = download.published !== null
  const items: MenuItem[] = [
    {
      label: isPublished ? words.withdraw : words.publish,
      onSelect: () => told(publish(place, download, !isPublished)),
    },
    { label: words.remove, danger: true, apart: true, onSelect: () => setAsked('remove') },
  ]
  const close = () => setAsked(undefined)
  return (
    <Page
      title={download.title}
      beside={<PublishedBadge published={download.published} />}
      back={{ to: place.path('downloads'), label: texts.pages.downloads }}
      action={
        <>
          {mayLink && isPublished && (
            <Button look="primary" icon={Link2} onClick={() => setAsked('link')}>
              {words.makeLink}
            </Button>
          )}
          {mayEdit && <MoreMenu label={texts.common.actionsFor(download.title)} items={items} />}
        </>
      }
    >
      {!isPublished && <Notice tone="ending">{words.withdrawnHint}</Notice>}
      <div className="grid items-start gap-5 lg:grid-cols-2">
        <FileCard download={download} />
        <div className="grid gap-5">
          <AboutCard download={download} />
          <DeliveriesCard rid={download.rid} deliveries={deliveries} />
        </div>
      </div>
      <LinkDialog download={download} open={asked === 'link'} onClose={close} />
      <RemoveDialog
        download={download}
        delivered={deliveries?.total}
        open={asked === 'remove'}
        onClose={close}
      />
    </Page>
  )
}

interface RemoveProps {
  download: ShownDownload
  /** The number of deliveries; undefined until loaded. */
  delivered: number | undefined
  open: boolean
  onClose: () => void
}

function RemoveDialog({ download, delivered, open, onClose }: RemoveProps): ReactNode {
  const place = usePlace()
  const navigate = useNavigate()
  const { id, title, file, size } = download
  async function remove() {
    await send('DELETE', place.path('downloads', id))
    // Leaves the page before everything is refetched, because the record is gone.
    await navigate({ to: place.path('downloads') })
    toast(words.removed(title))
    await refresh(place)
  }
  return (
    <ConfirmDialog
      open={open}
      onClose={onClose}
      title={words.removeTitle(title)}
      effect={
        <>
          <p>{words.removeEffect(file, formatBytes(size))}</p>
          {delivered !== undefined && <p>{words.removeDelivered(delivered)}</p>}
          <p>{words.removeAccess}</p>
        </>
      }
      action={words.remove}
      onConfirm={remove}
    />
  )
}
