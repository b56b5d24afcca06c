import { Download, GitMerge, Pencil, Tag, Trash2 } from 'lucide-react'
import { type ReactNode, useState } from 'react'
import type { PersonDetails } from '../../../../server/src/http/dashboard/people/schemas.ts'
import { apiUrl } from '../../api.ts'
import { type MenuItem, MoreMenu } from '../../parts/overlays/menu.tsx'
import { usePlace } from '../../place.ts'
import { texts } from '../../texts.ts'
import { download } from '../access/download.ts'
import { ChangeDialog } from './change-dialog.tsx'
import { EraseDialog } from './erase-dialog.tsx'
import { MergeDialog } from './merge-dialog.tsx'
import { ReferenceDialog } from './reference-dialog.tsx'

const DIALOGS = {
  change: ChangeDialog,
  reference: ReferenceDialog,
  merge: MergeDialog,
  erase: EraseDialog,
} as const

/** The actions on a person, as opposed to their access. */
export function PersonMenu({ details }: { details: PersonDetails }): ReactNode {
  const { path } = usePlace()
  const [asked, ask] = useState<keyof typeof DIALOGS>()
  const { uid } = details.person
  const items: MenuItem[] = [
    { label: texts.people.change, icon: Pencil, onSelect: () => ask('change') },
    { label: texts.people.addRef, icon: Tag, onSelect: () => ask('reference') },
    { label: texts.people.merge, icon: GitMerge, onSelect: () => ask('merge') },
    {
      label: texts.people.exportData,
      icon: Download,
      onSelect: () => download(apiUrl(path('people', uid, 'export'))),
    },
    {
      label: texts.people.erase,
      icon: Trash2,
      danger: true,
      apart: true,
      onSelect: () => ask('erase'),
    },
  ]
  const Dialog = asked && DIALOGS[asked]
  return (
    <>
      <MoreMenu label={texts.people.actions} items={items} />
      {Dialog && <Dialog details={details} onClose={() => ask(undefined)} />}
    </>
  )
}
