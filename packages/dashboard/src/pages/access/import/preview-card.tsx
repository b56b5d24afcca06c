import type { ImportResult, SheetReading } from '@gatehouse/server/dashboard-api'
import { type ReactNode, useState } from 'react'
import { Button } from '../../../components/button.tsx'
import { Card } from '../../../components/display/card.tsx'
import { Notice } from '../../../components/display/notice.tsx'
import { Checkbox } from '../../../components/forms/checkbox.tsx'
import { RadioList } from '../../../components/forms/radio-list.tsx'
import { texts } from '../../../texts.ts'
import { ImportRows } from './import-rows.tsx'
import type { ImportEffects, Run, Sheet } from './import-run.ts'

const words = texts.importing

interface Props {
  sheet: Sheet
  reading: SheetReading
  run: Run
  onGo: (how: ImportEffects) => void
  onBack: () => void
}

/** The changes that the import would make, and the choice to make them. */
export function PreviewCard({ sheet, reading, run, onGo, onBack }: Props): ReactNode {
  const { result } = run
  const [mail, setMail] = useState('')
  const [events, setEvents] = useState(false)
  // Readers who got no email yet can get one, even if nothing else changes.
  const isPossible = result.granted > 0
  const needsChoice = result.mails > 0 && mail === ''
  return (
    <Card title={words.result} lead={words.resultLead(sheet.name, result.rows)}>
      <ImportRows sheet={sheet} reading={reading} run={run} />
      <Warnings result={result} />
      {isPossible && result.mails > 0 && (
        <MailChoice result={result} value={mail} onChange={setMail} />
      )}
      {isPossible && (
        <Checkbox
          label={words.events}
          hint={words.eventsHint}
          checked={events}
          onCheckedChange={setEvents}
        />
      )}
      {!isPossible && <Notice>{result.refused > 0 ? words.nothingRefused : words.nothing}</Notice>}
      <div className="flex flex-wrap items-center gap-2">
        <Button
          variant="primary"
          disabled={!isPossible || needsChoice}
          onClick={() => onGo({ notify: mail === 'send', events })}
        >
          {words.go(result.granted)}
        </Button>
        <Button onClick={onBack}>{words.backToSettings}</Button>
        {isPossible && needsChoice && <span className="text-soft">{words.mailChoose}</span>}
      </div>
    </Card>
  )
}

function Warnings({ result: { endless, over, counts } }: { result: ImportResult }): ReactNode {
  const lines = [
    ...(counts.shortened > 0 ? [words.shortened(counts.shortened)] : []),
    ...(endless > 0 ? [words.endless(endless)] : []),
    ...(over > 0 ? [words.over(over)] : []),
  ]
  if (lines.length === 0) return null
  return (
    <Notice tone="ending">
      {lines.map((line) => (
        <p key={line}>{line}</p>
      ))}
    </Notice>
  )
}

interface MailProps {
  result: ImportResult
  value: string
  onChange: (value: string) => void
}

function MailChoice({ result, value, onChange }: MailProps): ReactNode {
  const options = [
    { value: 'none', label: words.mailNone, hint: words.mailNoneHint },
    {
      value: 'send',
      label: words.mailSend(result.mails),
      hint: result.delivery === 'kept' ? words.mailKept : words.mailSendHint,
    },
  ]
  return <RadioList label={words.mail} options={options} value={value} onChange={onChange} />
}
