import type { DownloadItem } from '@gatehouse/server/dashboard-api'
import { send } from '../../api.ts'
import type { AppScope } from '../../app-scope.ts'
import { toast } from '../../components/overlays/toast.tsx'
import { toastOnError } from '../../components/overlays/toast-on-error.ts'
import { refetchApplication } from '../../components/refetch-application.ts'
import { texts } from '../../texts.ts'

interface Change {
  title?: string
  description?: string
  image?: string
  published?: boolean
}

export async function changeDownload(scope: AppScope, id: string, change: Change): Promise<void> {
  await send<DownloadItem>('PATCH', scope.path('downloads', id), change)
  await refetchApplication(scope)
}

/** Both directions can be undone, so neither asks for confirmation. */
export async function setPublished(
  scope: AppScope,
  download: DownloadItem,
  published: boolean,
): Promise<void> {
  await changeDownload(scope, download.id, { published })
  const say = published ? texts.downloads.publishedNow : texts.downloads.withdrawnNow
  toast(say(download.title), {
    undo: () => toastOnError(setPublished(scope, download, !published)),
  })
}
