import type { ReactNode } from 'react'
import type { ShownDownload } from '../../../../server/src/http/dashboard/downloads/schemas.ts'
import { EDITORS } from '../../../../server/src/http/dashboard/route.ts'
import { sendFile } from '../../api.ts'
import { formatBytes } from '../../format.ts'
import { useMay, useNow } from '../../frame/me.ts'
import { Card } from '../../parts/display/card.tsx'
import { Copyable } from '../../parts/display/copyable.tsx'
import { Facts } from '../../parts/display/facts.tsx'
import { ResourceLink } from '../../parts/display/record-links.tsx'
import { Time } from '../../parts/display/time.tsx'
import { FileDrop } from '../../parts/forms/file-drop.tsx'
import { toast } from '../../parts/overlays/toast.tsx'
import { refresh } from '../../parts/refresh.ts'
import { usePlace } from '../../place.ts'
import { ridPart } from '../../resource-path.ts'
import { texts } from '../../texts.ts'

/** Details of the file, and a way to replace it. */
export function FileCard({ download }: { download: ShownDownload }): ReactNode {
  const now = useNow()
  const mayReplace = useMay(EDITORS)
  const words = texts.downloads
  return (
    <Card title={words.fileTitle}>
      <Facts
        facts={[
          { label: words.fileName, value: download.file },
          { label: words.size, value: formatBytes(download.size) },
          { label: words.type, value: download.type },
          { label: words.filed, value: <Time at={download.filed * 1000} now={now} /> },
          { label: words.kept, value: words.stores[download.store] },
          { label: texts.records.resource, value: <ResourceLink rid={download.rid} /> },
          {
            label: words.checksum,
            value: <Copyable value={download.sha256} what={words.checksum} />,
          },
          {
            label: texts.records.id,
            value: <Copyable value={download.id} what={texts.records.id} />,
          },
        ]}
      />
      {mayReplace && <Replace download={download} />}
    </Card>
  )
}

function Replace({ download }: { download: ShownDownload }): ReactNode {
  const place = usePlace()
  const words = texts.downloads
  return (
    <div className="grid gap-2">
      <h3 className="font-medium">{words.replace}</h3>
      <FileDrop
        hint={words.replaceHint}
        send={async (file, options) => {
          const path = place.path('resources', ridPart(download.rid), 'file')
          await sendFile<ShownDownload>('PUT', path, { name: file.name }, file, options)
          await refresh(place)
          toast(words.replaced(file.name))
        }}
      />
    </div>
  )
}
