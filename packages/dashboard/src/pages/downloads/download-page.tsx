import {
  type DeliveryItem,
  type DownloadItem,
  EDITORS,
  type Page as Listed,
  type ListedDownload,
  SUPPORT,
} from '@gatehouse/server/dashboard-api'
import { useQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { Link2 } from 'lucide-react'
import { type ReactNode, useState } from 'react'
import { get, keys, send } from '../../api.ts'
import { useAppScope } from '../../app-scope.ts'
import { Button } from '../../components/button.tsx'
import { Notice } from '../../components/display/notice.tsx'
import { type RecordProps, recordPage } from '../../components/display/record-page.tsx'
import { ConfirmDialog } from '../../components/overlays/confirm-dialog.tsx'
import { type MenuItem, MoreMenu } from '../../components/overlays/menu.tsx'
import { toast } from '../../components/overlays/toast.tsx'
import { toastOnError } from '../../components/overlays/toast-on-error.ts'
import { refetchApplication } from '../../components/refetch-application.ts'
import { formatBytes } from '../../format.ts'
import { useHasRole } from '../../frame/me.ts'
import { Page } from '../../frame/page.tsx'
import { texts } from '../../texts.ts'
import { AboutCard } from './about-card.tsx'
import { setPublished } from './change-download.ts'
import { DeliveriesCard } from './deliveries-card.tsx'
import { FileCard } from './file-card.tsx'
import { PublishedBadge } from './labels.tsx'
import { DownloadLinkDialog } from './link-dialog.tsx'

const words = texts.downloads

export const DownloadPage = recordPage('downloads', DownloadView)

const FEW = 8

function useDeliveries(download: string): Listed<DeliveryItem> | undefined {
  const { environment, aid, path } = useAppScope()
  const asked = { download, pagesize: FEW }
  const { data } = useQuery({
    queryKey: keys.of(environment, aid, 'deliveries', asked),
    queryFn: ({ signal }) => get<Listed<DeliveryItem>>(path('deliveries'), asked, signal),
  })
  return data
}

function DownloadView({ record: download }: RecordProps<ListedDownload>): ReactNode {
  const scope = useAppScope()
  const canEdit = useHasRole(EDITORS)
  const canLink = useHasRole(SUPPORT)
  const [asked, setAsked] = useState<'link' | 'remove'>()
  const deliveries = useDeliveries(download.id)
  const isPublished = download.published !== null
  const items: MenuItem[] = [
    {
      label: isPublished ? words.withdraw : words.publish,
      onSelect: () => toastOnError(setPublished(scope, download, !isPublished)),
    },
    { label: words.remove, danger: true, apart: true, onSelect: () => setAsked('remove') },
  ]
  const close = () => setAsked(undefined)
  return (
    <Page
      title={download.title}
      beside={<PublishedBadge published={download.published} />}
      back={{ to: scope.path('downloads'), label: texts.pages.downloads }}
      action={
        <>
          {canLink && isPublished && (
            <Button variant="primary" icon={Link2} onClick={() => setAsked('link')}>
              {words.makeLink}
            </Button>
          )}
          {canEdit && <MoreMenu label={texts.common.actionsFor(download.title)} items={items} />}
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
      <DownloadLinkDialog download={download} open={asked === 'link'} onClose={close} />
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
  download: DownloadItem
  /** The number of deliveries; undefined until loaded. */
  delivered: number | undefined
  open: boolean
  onClose: () => void
}

function RemoveDialog({ download, delivered, open, onClose }: RemoveProps): ReactNode {
  const scope = useAppScope()
  const navigate = useNavigate()
  const { id, title, file, size } = download
  async function remove() {
    await send('DELETE', scope.path('downloads', id))
    // Leaves the page before everything is refetched, because the record is gone.
    await navigate({ to: scope.path('downloads') })
    toast(words.removed(title))
    await refetchApplication(scope)
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
