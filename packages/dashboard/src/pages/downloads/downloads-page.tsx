import type { ListedDownload } from '@gatehouse/server/dashboard-api'
import { Link } from '@tanstack/react-router'
import { FileDown } from 'lucide-react'
import type { ReactNode } from 'react'
import { useAppScope } from '../../app-scope.ts'
import { buttonClass } from '../../components/button.tsx'
import { Clamped } from '../../components/display/clamped.tsx'
import { EmptyUntilSold } from '../../components/display/empty-until-sold.tsx'
import { bytesColumn, dayColumn, resourceColumn } from '../../components/lists/columns.tsx'
import type { Filter } from '../../components/lists/list-filters.tsx'
import type { Column } from '../../components/lists/list-table.tsx'
import { RecordListPage } from '../../components/lists/record-list-page.tsx'
import { texts } from '../../texts.ts'
import { PublishedBadge } from './labels.tsx'

const words = texts.downloads

const FILTERS: readonly Filter[] = [
  { name: 'rid', label: texts.records.resource, isResource: true },
  {
    name: 'published',
    label: words.publishedFilter,
    options: [
      { value: 'true', label: words.yes },
      { value: 'false', label: words.no },
    ],
  },
]

const COLUMNS: readonly Column<ListedDownload>[] = [
  {
    id: 'title',
    sort: { by: 'title' },
    header: words.title,
    wraps: true,
    cell: ({ title, file }) => (
      <>
        {title}
        <span className="block font-normal text-soft md:hidden">{file}</span>
      </>
    ),
    csv: ({ title }) => title,
  },
  resourceColumn('lg'),
  {
    id: 'file',
    header: words.file,
    wraps: true,
    cell: ({ file }) => <Clamped>{file}</Clamped>,
    csv: ({ file }) => file,
    from: 'md',
  },
  { ...bytesColumn('size', words.size), sort: { by: 'size', downFirst: true } },
  {
    id: 'state',
    header: texts.records.state,
    cell: ({ published }) => <PublishedBadge published={published} />,
    csv: ({ published }) => (published === null ? words.withdrawn : words.published),
  },
  dayColumn('modified', { id: 'changed', header: words.changed, from: 'lg' }),
]

export function DownloadsPage(): ReactNode {
  const { path } = useAppScope()
  return (
    <RecordListPage<ListedDownload>
      title={texts.pages.downloads}
      action={
        <Link to={path('downloads', 'deliveries')} className={buttonClass()}>
          {words.deliveries}
        </Link>
      }
      list="downloads"
      filters={FILTERS}
      searchFor={words.searchFor}
      columns={COLUMNS}
      keyOf={({ id }) => id}
      nameOf={({ title }) => title}
      hrefOf={({ id }) => path('downloads', id)}
      empty={<EmptyUntilSold icon={FileDown} words={words} />}
    />
  )
}
