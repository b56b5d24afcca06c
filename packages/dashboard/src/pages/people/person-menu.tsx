import type { PersonDetails } from '@gatehouse/server/dashboard-api'
import { Download, GitMerge, Link2Off, Pencil, Tag, Trash2 } from 'lucide-react'
import { type ReactNode, useState } from 'react'
import { apiUrl } from '../../api.ts'
import { useAppScope } from '../../app-scope.ts'
import { startExport } from '../../components/lists/start-export.ts'
import { type MenuItem, MoreMenu } from '../../components/overlays/menu.tsx'
import { texts } from '../../texts.ts'
import { AddReferenceDialog } from './add-reference-dialog.tsx'
import { EditPersonDialog } from './edit-person-dialog.tsx'
import { EndLinksDialog } from './end-links-dialog.tsx'
import { EraseDialog } from './erase-dialog.tsx'
import { MergeDialog } from './merge-dialog.tsx'

const DIALOGS = {
  change: EditPersonDialog,
  reference: AddReferenceDialog,
  merge: MergeDialog,
  endLinks: EndLinksDialog,
  erase: EraseDialog,
} as const

/** The actions on a person, as opposed to their access. */
export function PersonMenu({ details }: { details: PersonDetails }): ReactNode {
  const { path } = useAppScope()
  const [asked, ask] = useState<keyof typeof DIALOGS>()
  const { uid } = details.person
  const items: MenuItem[] = [
    { label: texts.people.change, icon: Pencil, onSelect: () => ask('change') },
    { label: texts.people.addRef, icon: Tag, onSelect: () => ask('reference') },
    { label: texts.people.merge, icon: GitMerge, onSelect: () => ask('merge') },
    { label: texts.people.endLinks, icon: Link2Off, onSelect: () => ask('endLinks') },
    {
      label: texts.people.exportData,
      icon: Download,
      onSelect: () => startExport(apiUrl(path('people', uid, 'export'))),
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
