import { FileDown } from 'lucide-react'
import type { ReactNode } from 'react'
import { apiUrl } from '../../api.ts'
import { texts } from '../../texts.ts'
import { Button } from '../button.tsx'
import { Menu } from '../overlays/menu.tsx'
import type { Filter } from './list-filters.tsx'
import { useListState } from './list-state.ts'
import { startExport } from './start-export.ts'

const words = texts.list

interface Props {
  /** The path of the export in the API. */
  path: string
  filters: readonly Filter[]
  /** Whether there is also a form with exact values, for imports and programs. */
  hasExact?: boolean
}

/** Exports all rows that match the filters, not only the page on screen. The server writes the file. */
export function ExportMenu({ path, filters, hasExact = false }: Props): ReactNode {
  const { search } = useListState()
  const names = [...filters.map(({ name }) => name), 'q', 'sort']
  const filtered = Object.fromEntries(names.map((name) => [name, search[name]]))
  const form = hasExact ? { form: 'people' } : {}
  const take = (parameters: Parameters<typeof apiUrl>[1]) => () =>
    startExport(apiUrl(path, parameters))
  const items = [
    {
      label: words.exportSheet,
      detail: words.exportSheetHint,
      onSelect: take({ ...filtered, ...form }),
    },
    {
      label: words.exportSemicolons,
      detail: words.exportSemicolonsHint,
      onSelect: take({ ...filtered, ...form, delimiter: 'semicolon' }),
    },
  ]
  const exact = {
    label: words.exportExact,
    detail: words.exportExactHint,
    onSelect: take({ form: 'raw' }),
  }
  return (
    <Menu groups={[{ items }, ...(hasExact ? [{ items: [exact] }] : [])]}>
      <Button icon={FileDown}>{words.export}</Button>
    </Menu>
  )
}
