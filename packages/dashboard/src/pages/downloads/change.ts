import type { ShownDownload } from '../../../../server/src/http/dashboard/downloads/schemas.ts'
import { send } from '../../api.ts'
import { toast } from '../../parts/overlays/toast.tsx'
import { told } from '../../parts/overlays/toast-on-error.ts'
import { refresh } from '../../parts/refresh.ts'
import type { Place } from '../../place.ts'
import { texts } from '../../texts.ts'

interface Change {
  title?: string
  description?: string
  image?: string
  published?: boolean
}

export async function changeDownload(place: Place, id: string, change: Change): Promise<void> {
  await send<ShownDownload>('PATCH', place.path('downloads', id), change)
  await refresh(place)
}

/** Both directions can be undone, so neither asks for confirmation. */
export async function publish(
  place: Place,
  download: ShownDownload,
  published: boolean,
): Promise<void> {
  await changeDownload(place, download.id, { published })
  const say = published ? texts.downloads.publishedNow : texts.downloads.withdrawnNow
  toast(say(download.title), { undo: () => told(publish(place, download, !published)) })
}
