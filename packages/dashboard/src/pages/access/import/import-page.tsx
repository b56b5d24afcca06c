import type { SheetReading } from '@gatehouse/server/dashboard-api'
import { type ReactNode, useState } from 'react'
import { useAppScope } from '../../../app-scope.ts'
import { Page } from '../../../frame/page.tsx'
import { texts } from '../../../texts.ts'
import { ChooseFile } from './choose-file.tsx'
import type { Choice, Run, Sheet } from './import-run.ts'
import { ImportStep } from './import-step.tsx'
import { ResultCard } from './result-card.tsx'
import { SheetSettings } from './sheet-settings.tsx'

interface Read {
  sheet: Sheet
  reading: SheetReading
  choice: Choice
}

type Step =
  | { name: 'choose' }
  | ({ name: 'settings' } & Read)
  | ({ name: 'import' } & Read)
  | ({ name: 'done'; run: Run } & Read)

/** Imports readers: choose a file, say how to read it, see what changes, import it. */
export function ImportPage(): ReactNode {
  const { path } = useAppScope()
  const [step, setStep] = useState<Step>({ name: 'choose' })
  const back = { to: path('access'), label: texts.pages.access }
  const restart = () => setStep({ name: 'choose' })
  return (
    <Page title={texts.importing.title} lead={texts.importing.lead} back={back}>
      {step.name === 'choose' && (
        <ChooseFile onRead={(read) => setStep({ name: 'settings', ...read, choice: {} })} />
      )}
      {step.name === 'settings' && (
        <SheetSettings
          {...step}
          onChange={(more) => setStep({ ...step, ...more })}
          onNext={() => setStep({ ...step, name: 'import' })}
          onOther={restart}
        />
      )}
      {step.name === 'import' && (
        <ImportStep
          {...step}
          onBack={() => setStep({ ...step, name: 'settings' })}
          onDone={(run) => setStep({ ...step, name: 'done', run })}
        />
      )}
      {step.name === 'done' && <ResultCard {...step} onOther={restart} />}
    </Page>
  )
}
