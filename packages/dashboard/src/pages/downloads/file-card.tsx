import { type DownloadItem, EDITORS, type ListedDownload } from '@gatehouse/server/dashboard-api'
import type { ReactNode } from 'react'
import { sendFile } from '../../api.ts'
import { useAppScope } from '../../app-scope.ts'
import { Card } from '../../components/display/card.tsx'
import { Copyable } from '../../components/display/copyable.tsx'
import { DescriptionList } from '../../components/display/description-list.tsx'
import { ResourceLink } from '../../components/display/record-links.tsx'
import { Time } from '../../components/display/time.tsx'
import { FileDrop } from '../../components/forms/file-drop.tsx'
import { toast } from '../../components/overlays/toast.tsx'
import { refetchApplication } from '../../components/refetch-application.ts'
import { formatBytes } from '../../format.ts'
import { useHasRole, useNow } from '../../frame/me.ts'
import { texts } from '../../texts.ts'

/** Details of the file, and a way to replace it. */
export function FileCard({ download }: { download: ListedDownload }): ReactNode {
  const now = useNow()
  const canReplace = useHasRole(EDITORS)
  const words = texts.downloads
  return (
    <Card title={words.fileTitle}>
      <DescriptionList
        facts={[
          { label: words.fileName, value: download.file },
          { label: words.size, value: formatBytes(download.size) },
          { label: words.type, value: download.type },
          { label: words.filed, value: <Time at={download.filed * 1000} now={now} /> },
          { label: words.kept, value: words.stores[download.store] },
          {
            label: texts.records.resource,
            value: <ResourceLink rid={download.rid}>{download.resource}</ResourceLink>,
          },
          {
            label: words.checksum,
            value: <Copyable value={download.sha256} label={words.checksum} />,
          },
          {
            label: texts.records.id,
            value: <Copyable value={download.id} label={texts.records.id} />,
          },
        ]}
      />
      {canReplace && <Replace download={download} />}
    </Card>
  )
}

function Replace({ download }: { download: DownloadItem }): ReactNode {
  const scope = useAppScope()
  const words = texts.downloads
  return (
    <div className="grid gap-2">
      <h3 className="font-medium">{words.replace}</h3>
      <FileDrop
        hint={words.replaceHint}
        send={async (file, options) => {
          const path = scope.path('downloads', download.id, 'file')
          await sendFile<DownloadItem>('PUT', path, { name: file.name }, file, options)
          await refetchApplication(scope)
          toast(words.replaced(file.name))
        }}
      />
    </div>
  )
}
