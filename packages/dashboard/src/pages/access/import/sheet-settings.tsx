import type { ImportColumn, SheetReading } from '@gatehouse/server/dashboard-api'
import { type ReactNode, useRef, useState } from 'react'
import { sendFile } from '../../../api.ts'
import { useAppScope } from '../../../app-scope.ts'
import { Button } from '../../../components/button.tsx'
import { Card } from '../../../components/display/card.tsx'
import { Notice } from '../../../components/display/notice.tsx'
import { errorMessage } from '../../../components/forms/use-form.ts'
import { texts } from '../../../texts.ts'
import { ColumnsTable } from './columns-table.tsx'
import { FormatFields } from './format-fields.tsx'
import { type Choice, type Sheet, toParameters } from './import-run.ts'
import { SampleTable } from './sample-table.tsx'

const words = texts.importing

interface Props {
  sheet: Sheet
  reading: SheetReading
  choice: Choice
  onChange: (more: { reading: SheetReading; choice: Choice }) => void
  onNext: () => void
  onOther: () => void
}

/** Names a setting that must be chosen before the import can be checked; undefined if all are. */
function missingIn({ columns, machine, order_unclear }: SheetReading, choice: Choice) {
  if (machine) return undefined
  if (!columns.includes('email')) return words.needsEmail
  if (!columns.includes('resource') && choice.rid === undefined) return words.needsResource
  return order_unclear ? words.orderUnclear : undefined
}

/** Reads the file again for each change, so that the rows below are always what the server understands. */
function useReread({ sheet, choice, onChange }: Props) {
  const { path } = useAppScope()
  const [busy, setBusy] = useState(false)
  const [problem, setProblem] = useState<string>()
  const last = useRef(0)
  async function change(more: Choice) {
    const turn = ++last.current
    setBusy(true)
    setProblem(undefined)
    try {
      const chosen = { ...choice, ...more }
      const url = path('access', 'import', 'read')
      const options = { onProgress: () => {} }
      const parameters = toParameters(chosen)
      const reading = await sendFile<SheetReading>('POST', url, parameters, sheet.content, options)
      if (turn === last.current) onChange({ reading, choice: chosen })
    } catch (error) {
      if (turn === last.current) setProblem(errorMessage(error))
    } finally {
      if (turn === last.current) setBusy(false)
    }
  }
  return { busy, problem, change: (more: Choice) => void change(more) }
}

/** Shows how the file is understood, and lets the user change it. */
export function SheetSettings(props: Props): ReactNode {
  const { sheet, reading, choice, onNext, onOther } = props
  const { busy, problem, change } = useReread(props)
  const missing = missingIn(reading, choice)
  const assign = (column: number, target: ImportColumn) =>
    change({
      columns: reading.columns.map((old, i) => {
        if (i === column) return target
        return old === target ? '' : old
      }),
    })
  return (
    <div className="grid gap-4" aria-busy={busy}>
      <Card title={words.settings} lead={words.settingsLead(sheet.name, reading.rows)}>
        <FormatFields reading={reading} choice={choice} onChange={change} />
      </Card>
      {reading.machine ? (
        <Notice>{words.machine}</Notice>
      ) : (
        <>
          <Card title={words.columns} lead={words.columnsLead}>
            <ColumnsTable reading={reading} onAssign={assign} />
          </Card>
          <Card title={words.preview} lead={words.previewLead(reading.time_zone)}>
            <SampleTable reading={reading} />
          </Card>
        </>
      )}
      {problem !== undefined && <Notice tone="failed">{problem}</Notice>}
      {missing !== undefined && <Notice tone="ending">{missing}</Notice>}
      <div className="flex flex-wrap gap-2">
        <Button variant="primary" disabled={missing !== undefined || busy} onClick={onNext}>
          {words.check}
        </Button>
        <Button onClick={onOther}>{words.other}</Button>
      </div>
    </div>
  )
}
