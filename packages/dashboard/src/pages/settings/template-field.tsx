import type { MailPreview } from '@gatehouse/server/dashboard-api'
import { RotateCcw } from 'lucide-react'
import { type ReactNode, useRef } from 'react'
import { Button } from '../../components/button.tsx'
import { Field } from '../../components/forms/field.tsx'
import { TextArea } from '../../components/forms/text-input.tsx'
import type { Form } from '../../components/forms/use-form.ts'
import { texts } from '../../texts.ts'

type Problems = Extract<MailPreview, { ok: false }>['problems']

interface Props {
  bound: ReturnType<Form<Record<string, string>>['bind']>
  error: string | undefined
  /** The problems found by the preview, by line. */
  problems: Problems
  canChange: boolean
  builtIn: string
  /** The placeholders that the template may have. */
  names: readonly string[]
  label: string
  onText: (text: string) => void
}

const MAX_SHOWN = 3

function describe(problems: Problems): string | undefined {
  if (problems.length === 0) return undefined
  const shown = problems.slice(0, MAX_SHOWN)
  const more = problems.length - shown.length
  return [
    ...shown.map(({ line, problem }) => texts.settings.problem(line, problem)),
    ...(more > 0 ? [texts.settings.furtherProblems(more)] : []),
  ].join(' ')
}

export function TemplateField({
  bound,
  error,
  problems,
  canChange,
  builtIn,
  names,
  label,
  onText,
}: Props): ReactNode {
  const area = useRef<HTMLTextAreaElement>(null)

  function insert(name: string) {
    const element = area.current
    if (element === null) return
    const { selectionStart, selectionEnd, value } = element
    const put = `{{${name}}}`
    onText(value.slice(0, selectionStart) + put + value.slice(selectionEnd))
    // Waits until the new text is rendered.
    requestAnimationFrame(() => {
      element.focus()
      element.setSelectionRange(selectionStart + put.length, selectionStart + put.length)
    })
  }

  return (
    <div className="grid min-w-0 gap-2">
      <Field label={label} hint={texts.settings.templateHint} error={describe(problems) ?? error}>
        <TextArea
          ref={area}
          rows={18}
          {...bound}
          className="font-mono text-[0.8125rem] leading-relaxed"
        />
      </Field>
      {canChange && (
        <>
          <PlaceholderButtons names={names} onInsert={insert} />
          {bound.value !== builtIn && (
            <div>
              <Button variant="quiet" icon={RotateCcw} onClick={() => onText(builtIn)}>
                {texts.settings.builtIn}
              </Button>
            </div>
          )}
        </>
      )}
    </div>
  )
}

interface ButtonsProps {
  names: readonly string[]
  onInsert: (name: string) => void
}

function PlaceholderButtons({ names, onInsert }: ButtonsProps): ReactNode {
  const meanings: Readonly<Record<string, string>> = texts.settings.placeholders
  return (
    // biome-ignore lint/a11y/useSemanticElements: the whole form already has a fieldset.
    <div
      role="group"
      aria-label={texts.settings.insert}
      className="flex flex-wrap items-center gap-1.5"
    >
      <span className="text-soft" aria-hidden>
        {texts.settings.insert}
      </span>
      {names.map((name) => (
        <button
          key={name}
          type="button"
          title={meanings[name]}
          aria-label={texts.settings.insertThis(name, meanings[name] ?? '')}
          onClick={() => onInsert(name)}
          className="inline-flex h-7 items-center rounded-full border border-line bg-raised px-2.5 font-mono text-xs hover:bg-hover pointer-coarse:h-9"
        >
          {name}
        </button>
      ))}
    </div>
  )
}
