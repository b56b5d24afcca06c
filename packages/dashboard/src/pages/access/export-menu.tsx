import { FileDown } from 'lucide-react'
import type { ReactNode } from 'react'
import { apiUrl } from '../../api.ts'
import { useAppScope } from '../../app-scope.ts'
import { Button } from '../../components/button.tsx'
import { Menu } from '../../components/overlays/menu.tsx'
import { texts } from '../../texts.ts'
import { startDownload } from './start-download.ts'

/** Exports all access of the application to a file, however large. */
export function ExportMenu(): ReactNode {
  const { path } = useAppScope()
  const take = (form: string) => () => startDownload(apiUrl(path('access', 'export.csv'), { form }))
  const items = [
    {
      label: texts.access.exportSheet,
      detail: texts.access.exportSheetHint,
      onSelect: take('spreadsheet'),
    },
    { label: texts.access.exportRaw, detail: texts.access.exportRawHint, onSelect: take('raw') },
  ]
  return (
    <Menu groups={[{ items }]}>
      <Button icon={FileDown}>{texts.access.export}</Button>
    </Menu>
  )
}
