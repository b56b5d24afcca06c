import type { ResourceItem } from '@gatehouse/server/dashboard-api'
import { Package, Plus } from 'lucide-react'
import { type ReactNode, useState } from 'react'
import { useAppScope } from '../../app-scope.ts'
import { Button } from '../../components/button.tsx'
import { Clamped } from '../../components/display/clamped.tsx'
import { EmptyState } from '../../components/display/empty-state.tsx'
import { dayColumn } from '../../components/lists/columns.tsx'
import type { Filter } from '../../components/lists/list-filters.tsx'
import type { Column } from '../../components/lists/list-table.tsx'
import { RecordListPage } from '../../components/lists/record-list-page.tsx'
import { useHashAction } from '../../components/use-hash-action.ts'
import { formatBytes, formatNumber } from '../../format.ts'
import { ridToSegment } from '../../resource-path.ts'
import { texts } from '../../texts.ts'
import { CopyLink } from './copy-link.tsx'
import { CreateDialog } from './create-dialog.tsx'
import { archiveMenuItem, useArchiveToggle, useCanEdit } from './resource-actions.ts'

const FILTERS: readonly Filter[] = [
  {
    name: 'archived',
    label: texts.resources.stateFilter,
    options: [{ value: 'true', label: texts.resources.archivedOnly }],
  },
]

function pricesOf({ prices }: ResourceItem): ReactNode {
  const [first, ...more] = prices
  if (first === undefined) return <span className="text-soft">{texts.resources.noPrice}</span>
  return (
    <>
      {first.terms}
      {more.length > 0 && (
        <span className="block text-soft">{texts.resources.moreValues(more.length)}</span>
      )}
    </>
  )
}

function filesOf({ files }: ResourceItem): ReactNode {
  const [first, ...more] = files
  if (first === undefined) return <span className="text-soft">{texts.resources.noFile}</span>
  return (
    <>
      <Clamped>{first.file_name}</Clamped>
      <span className="block text-soft">
        {formatBytes(first.size)}
        {!first.published && ` · ${texts.resources.unpublished}`}
        {more.length > 0 && ` · ${texts.resources.moreValues(more.length)}`}
      </span>
    </>
  )
}

const COLUMNS: readonly Column<ResourceItem>[] = [
  {
    id: 'name',
    sort: { by: 'name' },
    header: texts.resources.name.label,
    wraps: true,
    cell: ({ name }) => name,
    csv: ({ name }) => name,
  },
  {
    id: 'rid',
    header: texts.resources.rid.label,
    isCsvOnly: true,
    cell: ({ rid }) => rid,
    csv: ({ rid }) => rid,
  },
  {
    id: 'live',
    header: texts.resources.liveColumn,
    cell: ({ live }) => formatNumber(live),
    csv: ({ live }) => live,
    right: true,
  },
  {
    id: 'prices',
    header: texts.resources.pricesColumn,
    wraps: true,
    cell: pricesOf,
    csv: ({ prices }) => prices.map(({ terms }) => terms).join('; '),
    from: 'md',
  },
  {
    id: 'file',
    header: texts.resources.filesTitle,
    wraps: true,
    cell: filesOf,
    csv: ({ files }) => files.map(({ file_name }) => file_name).join('; '),
    from: 'lg',
  },
  dayColumn('created', { id: 'created', header: texts.resources.createdColumn, from: 'xl' }),
]

export function ResourcesPage(): ReactNode {
  const { path } = useAppScope()
  const canEdit = useCanEdit()
  const archive = useArchiveToggle()
  const [creating, setCreating] = useState(false)
  useHashAction('new', () => setCreating(canEdit))
  const create = (
    <Button variant="primary" icon={Plus} onClick={() => setCreating(true)}>
      {texts.resources.create}
    </Button>
  )
  return (
    <>
      <RecordListPage<ResourceItem>
        title={texts.pages.resources}
        action={
          <>
            <CopyLink />
            {canEdit && create}
          </>
        }
        list="resources"
        searchFor={texts.resources.searchFor}
        filters={FILTERS}
        columns={COLUMNS}
        keyOf={({ rid }) => rid}
        nameOf={({ name }) => name}
        hrefOf={({ rid }) => path('resources', ridToSegment(rid))}
        menuOf={canEdit ? (resource) => [archiveMenuItem(resource, archive)] : undefined}
        empty={
          <EmptyState icon={Package} title={texts.resources.emptyTitle} action={canEdit && create}>
            {canEdit ? texts.resources.empty : texts.resources.emptyReader}
          </EmptyState>
        }
      />
      <CreateDialog open={creating} onClose={() => setCreating(false)} />
    </>
  )
}
