import type { ImportDone } from '@gatehouse/server/dashboard-api'
import { Link } from '@tanstack/react-router'
import { type ReactNode, useState } from 'react'
import { sendFile } from '../../api.ts'
import { useAppScope } from '../../app-scope.ts'
import { Button, buttonClass } from '../../components/button.tsx'
import { Card } from '../../components/display/card.tsx'
import { Code } from '../../components/display/code-box.tsx'
import { Notice } from '../../components/display/notice.tsx'
import { Checkbox } from '../../components/forms/checkbox.tsx'
import { FileDrop } from '../../components/forms/file-drop.tsx'
import { useAction } from '../../components/use-action.ts'
import { Page } from '../../frame/page.tsx'
import { texts } from '../../texts.ts'
import { ImportLines } from './import-lines.tsx'
import { useRefetch } from './use-refetch.ts'

const EXAMPLE = `rid,email,user_ref,first_name,last_name,expires,tags
issue-7,ann@example.com,4711,Ann,Example,,
issue-7,bob@example.com,4712,Bob,Example,1830297600,"gift,spring"`

type Step =
  | { name: 'choose' }
  | { name: 'preview'; file: File; result: ImportDone }
  | { name: 'done'; result: ImportDone }

/** Imports many grants: choose a file, preview the result, import it. */
export function ImportPage(): ReactNode {
  const { path } = useAppScope()
  const [step, setStep] = useState<Step>({ name: 'choose' })
  const back = { to: path('access'), label: texts.pages.access }
  return (
    <Page title={texts.access.importTitle} lead={texts.access.importLead} back={back}>
      {step.name === 'choose' && <Choose onPreview={setStep} />}
      {step.name === 'preview' && (
        <Preview
          {...step}
          onDone={(result) => setStep({ name: 'done', result })}
          onOther={() => setStep({ name: 'choose' })}
        />
      )}
      {step.name === 'done' && (
        <Done result={step.result} onOther={() => setStep({ name: 'choose' })} />
      )}
    </Page>
  )
}

function Choose({ onPreview }: { onPreview: (step: Step) => void }): ReactNode {
  const { path } = useAppScope()
  return (
    <Card title={texts.access.importFile}>
      <FileDrop
        accept=".csv,text/csv"
        hint={texts.access.importHint}
        send={async (file, options) => {
          const parameters = { dry_run: true }
          const result = await sendFile<ImportDone>(
            'POST',
            path('access', 'import'),
            parameters,
            file,
            options,
          )
          onPreview({ name: 'preview', file, result })
        }}
      />
      <p className="max-w-prose text-soft">{texts.access.importColumns}</p>
      <Code code={EXAMPLE} what={texts.access.importExample} />
    </Card>
  )
}

interface PreviewProps {
  file: File
  result: ImportDone
  onDone: (result: ImportDone) => void
  onOther: () => void
}

function Preview({ file, result, onDone, onOther }: PreviewProps): ReactNode {
  const { path } = useAppScope()
  const refresh = useRefetch()
  const [notify, setNotify] = useState(false)
  const { busy, problem, run } = useAction(async () => {
    const url = path('access', 'import')
    const done = await sendFile<ImportDone>('POST', url, { notify }, file, { onProgress: () => {} })
    onDone(done)
    await refresh()
  })
  return (
    <Card title={texts.access.dryRun} lead={texts.access.dryRunLead(file.name, result.rows)}>
      <ImportLines result={result} />
      {result.granted > 0 ? (
        <Checkbox label={texts.access.importNotify} checked={notify} onCheckedChange={setNotify} />
      ) : (
        <Notice>{texts.access.importNothing}</Notice>
      )}
      {problem !== undefined && <Notice tone="failed">{problem}</Notice>}
      <div className="flex flex-wrap gap-2">
        <Button variant="primary" busy={busy} disabled={result.granted === 0} onClick={run}>
          {texts.access.importGo(result.granted)}
        </Button>
        <Button onClick={onOther}>{texts.access.importOther}</Button>
      </div>
    </Card>
  )
}

function Done({ result, onOther }: { result: ImportDone; onOther: () => void }): ReactNode {
  const { path } = useAppScope()
  const { granted, refused } = result
  return (
    <Card title={texts.access.importDone}>
      <p role="status">{texts.access.importDoneLead(granted, refused)}</p>
      <ImportLines result={result} />
      <div className="flex flex-wrap gap-2">
        <Link to={path('access')} className={buttonClass('primary')}>
          {texts.access.backToList}
        </Link>
        <Button onClick={onOther}>{texts.access.importOther}</Button>
      </div>
    </Card>
  )
}
