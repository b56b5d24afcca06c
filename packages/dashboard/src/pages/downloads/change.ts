import type { ShownDownload } from '../../../../server/src/doors/dashboard/shapes-files.ts'
import { keys, send } from '../../api.ts'
import { toast } from '../../parts/toast.tsx'
import { told } from '../../parts/told.ts'
import type { Place } from '../../place.ts'
import { queryClient } from '../../query-client.ts'
import { texts } from '../../texts.ts'

/** Whatever is shown of the application is read anew: a file is on the page of its resource, too. */
export const refresh = ({ environment, aid }: Place): Promise<void> =>
  queryClient.invalidateQueries({ queryKey: keys.of(environment, aid) })

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

/** Both ways can be taken back, so that neither asks. */
export async function publish(
  place: Place,
  download: ShownDownload,
  published: boolean,
): Promise<void> {
  await changeDownload(place, download.id, { published })
  const say = published ? texts.downloads.publishedNow : texts.downloads.withdrawnNow
  toast(say(download.title), { undo: () => told(publish(place, download, !published)) })
}
