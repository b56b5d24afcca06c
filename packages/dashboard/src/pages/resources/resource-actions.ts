import { EDITORS, type ResourceItem } from '@gatehouse/server/dashboard-api'
import { Archive, ArchiveRestore } from 'lucide-react'
import { send } from '../../api.ts'
import { useAppScope } from '../../app-scope.ts'
import { errorMessage } from '../../components/forms/use-form.ts'
import type { MenuItem } from '../../components/overlays/menu.tsx'
import { toast } from '../../components/overlays/toast.tsx'
import { refetchApplication } from '../../components/refetch-application.ts'
import { useApplication, useHasRole } from '../../frame/me.ts'
import { ridToApiSegment } from '../../resource-path.ts'
import { texts } from '../../texts.ts'

/** Whether the signed-in member may change resources here. An archived application is read-only. */
export function useCanEdit(): boolean {
  const hasRole = useHasRole(EDITORS)
  const application = useApplication()
  return hasRole && application?.archived === false
}

/** Runs an action that can be undone, and reports the outcome. */
export async function runWithUndo(
  work: () => Promise<unknown>,
  done: string,
  undo: () => void,
): Promise<void> {
  try {
    await work()
    toast(done, { undo })
  } catch (error) {
    toast(errorMessage(error), { failed: true })
  }
}

type Archivable = Pick<ResourceItem, 'rid' | 'name' | 'live' | 'archived'>

/** Archives or restores a resource. */
export function useArchiveToggle(): (resource: Archivable) => Promise<void> {
  const scope = useAppScope()
  return async function change(resource) {
    const { rid, name, live, archived } = resource
    const verb = archived === null ? 'archive' : 'restore'
    const work = async () => {
      await send('POST', scope.path('resources', ridToApiSegment(rid), verb))
      await refetchApplication(scope)
    }
    const done =
      verb === 'archive'
        ? texts.resources.archivedNow(name, live)
        : texts.resources.restoredNow(name)
    const undo = () => void change({ ...resource, archived: archived === null ? 1 : null })
    await runWithUndo(work, done, undo)
  }
}

export function archiveMenuItem(
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
