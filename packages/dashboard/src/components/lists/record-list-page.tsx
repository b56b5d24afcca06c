import type { Page } from '@gatehouse/server/dashboard-api'
import type { RowData } from '@tanstack/react-table'
import type { ReactNode } from 'react'
import { get, keys, type Parameters } from '../../api.ts'
import { useAppScope } from '../../app-scope.ts'
import { ExportMenu } from './export-menu.tsx'
import { ListPage, type ListPageProps } from './list-page.tsx'

interface Props<Row>
  extends Omit<ListPageProps<Row>, 'queryKey' | 'load' | 'csvName' | 'tools' | 'views'> {
  /** The API name of the list. */
  list: string
  /** Converts the parameters in the URL to those of the API, where they differ. */
  toQuery?: (parameters: Parameters) => Parameters
  /** Whether the member may export the whole list, and not only the page. */
  canExport?: boolean
  /** Whether the export can be exact: see `ExportMenu`. */
  hasExactExport?: boolean
}

/** A list of the application's records of one kind, with saved views. */
export function RecordListPage<Row extends RowData>(props: Props<Row>): ReactNode {
  const { list, toQuery, canExport = false, hasExactExport = false, ...page } = props
  const { environment, aid, path } = useAppScope()
  const exportMenu = (
    <ExportMenu
      path={path(list, 'export.csv')}
      filters={page.filters ?? []}
      hasExact={hasExactExport}
    />
  )
  return (
    <ListPage<Row>
      {...page}
      queryKey={keys.of(environment, aid, list)}
      load={(parameters, signal) =>
        get<Page<Row>>(path(list), toQuery?.(parameters) ?? parameters, signal)
      }
      csvName={list}
      tools={canExport ? exportMenu : undefined}
      views={list}
    />
  )
}
