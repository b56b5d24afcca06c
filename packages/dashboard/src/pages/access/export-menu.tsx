import { FileDown } from 'lucide-react'
import type { ReactNode } from 'react'
import { apiUrl } from '../../api.ts'
import { Button } from '../../parts/button.tsx'
import { Menu } from '../../parts/overlays/menu.tsx'
import { usePlace } from '../../place.ts'
import { texts } from '../../texts.ts'
import { download } from './download.ts'

/** Exports all access of the application to a file, however large. */
export function ExportMenu(): ReactNode {
  const { path } = usePlace()
  const take = (form: string) => () => download(apiUrl(path('access', 'export.csv'), { form }))
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
