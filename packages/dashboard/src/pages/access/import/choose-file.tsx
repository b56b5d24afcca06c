import type { RecentImport, SheetReading } from '@gatehouse/server/dashboard-api'
import { useQuery } from '@tanstack/react-query'
import { FileDown } from 'lucide-react'
import { type ReactNode, useState } from 'react'
import { get, keys, sendFile } from '../../../api.ts'
import { useAppScope } from '../../../app-scope.ts'
import { Button } from '../../../components/button.tsx'
import { Card } from '../../../components/display/card.tsx'
import { Notice } from '../../../components/display/notice.tsx'
import { badgeOf } from '../../../components/display/state-badge.tsx'
import { Time } from '../../../components/display/time.tsx'
import { Field } from '../../../components/forms/field.tsx'
import { FileDrop } from '../../../components/forms/file-drop.tsx'
import { TextArea } from '../../../components/forms/text-input.tsx'
import { saveFile, toCsv } from '../../../components/lists/csv.ts'
import { useAction } from '../../../components/use-action.ts'
import { texts } from '../../../texts.ts'
import type { Sheet } from './import-run.ts'

const words = texts.importing

interface Props {
  onRead: (read: { sheet: Sheet; reading: SheetReading }) => void
}

const saveTemplate = () => saveFile(words.templateName, `\ufeff${toCsv(words.templateRows)}`)

export function ChooseFile({ onRead }: Props): ReactNode {
  const { path } = useAppScope()
  const read = async (
    sheet: Sheet,
    options: Parameters<typeof sendFile>[4] = { onProgress: () => {} },
  ) => {
    const url = path('access', 'import', 'read')
    const reading = await sendFile<SheetReading>('POST', url, {}, sheet.content, options)
    onRead({ sheet, reading })
  }
  const template = (
    <Button icon={FileDown} onClick={saveTemplate}>
      {words.template}
    </Button>
  )
  return (
    <>
      <Card title={words.file} action={template}>
        <FileDrop
          accept=".csv,.tsv,.txt,text/csv,text/plain"
          hint={words.fileHint}
          send={(file, options) => read({ name: file.name, content: file }, options)}
        />
        <Paste onPaste={(sheet) => read(sheet)} />
      </Card>
      <RecentImports />
    </>
  )
}

function Paste({ onPaste }: { onPaste: (sheet: Sheet) => Promise<void> }): ReactNode {
  const [text, setText] = useState('')
  const { busy, problem, run } = useAction(() =>
    onPaste({ name: words.pastedName, content: new Blob([text]) }),
  )
  return (
    <details>
      <summary className="py-1 font-medium text-accent">{words.paste}</summary>
      <div className="grid gap-3 pt-2">
        <Field label={words.pasted}>
          <TextArea rows={6} value={text} onChange={({ target }) => setText(target.value)} />
        </Field>
        {problem !== undefined && <Notice tone="failed">{problem}</Notice>}
        <div>
          <Button busy={busy} disabled={text.trim() === ''} onClick={run}>
            {words.pasteGo}
          </Button>
        </div>
      </div>
    </details>
  )
}

const OutcomeBadge = badgeOf<RecentImport['outcome']>(words.recentOutcomes, {
  done: 'live',
  stopped: 'ending',
  failed: 'failed',
  begun: 'ending',
})

/** How far the last imports got, for somebody whose browser was closed meanwhile. */
function RecentImports(): ReactNode {
  const { environment, aid, path } = useAppScope()
  const { data } = useQuery({
    queryKey: keys.of(environment, aid, 'imports'),
    queryFn: ({ signal }) => get<RecentImport[]>(path('access', 'imports'), {}, signal),
  })
  if (!data || data.length === 0) return null
  return (
    <Card title={words.recent}>
      <ul className="grid gap-3">
        {data.map((one) => (
          <li key={one.at} className="grid gap-0.5">
            <span className="flex flex-wrap items-center gap-x-3 gap-y-1">
              <OutcomeBadge state={one.outcome} />
              <Time at={one.at} />
              <span className="text-soft">{one.by}</span>
            </span>
            <span>{describeRecent(one)}</span>
          </li>
        ))}
      </ul>
    </Card>
  )
}

function describeRecent({ outcome, total, rows, granted, refused }: RecentImport): string {
  if (total === 0 && outcome !== 'done') return words.recentFailed
  const line = words.recentLine(rows, total, granted, refused)
  return outcome === 'done' ? line : `${line} ${words.recentAgain}`
}
