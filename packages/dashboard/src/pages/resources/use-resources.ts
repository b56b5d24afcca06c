import { Archive, ArchiveRestore } from 'lucide-react'
import type { ResourceItem } from '../../../../server/src/http/dashboard/resources/schemas.ts'
import { EDITORS } from '../../../../server/src/http/dashboard/route.ts'
import { send } from '../../api.ts'
import { useApplication, useMay } from '../../frame/me.ts'
import { problemOf } from '../../parts/forms/use-form.ts'
import type { MenuItem } from '../../parts/overlays/menu.tsx'
import { toast } from '../../parts/overlays/toast.tsx'
import { refresh } from '../../parts/refresh.ts'
import { usePlace } from '../../place.ts'
import { ridPart } from '../../resource-path.ts'
import { texts } from '../../texts.ts'

/** Whether the signed-in member may change resources here. An archived application is read-only. */
export function useMayEdit(): boolean {
  const may = useMay(EDITORS)
  const application = useApplication()
  return may && application?.archived === false
}

/** Runs an action that can be undone, and reports the outcome. */
export async function doing(
  work: () => Promise<unknown>,
  done: string,
  undo: () => void,
): Promise<void> {
  try {
    await work()
    toast(done, { undo })
  } catch (error) {
    toast(problemOf(error), { failed: true })
  }
}

type Archivable = Pick<ResourceItem, 'rid' | 'name' | 'live' | 'archived'>

/** Archives or restores a resource. */
export function useArchiving(): (resource: Archivable) => Promise<void> {
  const place = usePlace()
  return async function change(resource) {
    const { rid, name, live, archived } = resource
    const verb = archived === null ? 'archive' : 'restore'
    const work = async () => {
      await send('POST', place.path('resources', ridPart(rid), verb))
      await refresh(place)
    }
    const done =
      verb === 'archive'
        ? texts.resources.archivedNow(name, live)
        : texts.resources.restoredNow(name)
    const undo = () => void change({ ...resource, archived: archived === null ? 1 : null })
    await doing(work, done, undo)
  }
}

export function archiveItem(
  resource: Archivable,
  archive: (resource: Archivable) => Promise<void>,
): MenuItem {
  const isArchived = resource.archived !== null
  return {
    label: isArchived ? texts.resources.restore : texts.resources.archive,
    icon: isArchived ? ArchiveRestore : Archive,
    onSelect: () => void archive(resource),
  }
}
