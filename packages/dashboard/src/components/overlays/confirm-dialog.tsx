import { AlertDialog } from 'radix-ui'
import { isValidElement, type ReactElement, type ReactNode, useState } from 'react'
import { texts } from '../../texts.ts'
import { Button, type ButtonVariant } from '../button.tsx'
import { Notice } from '../display/notice.tsx'
import { TextField } from '../forms/text-field.tsx'
import { restoreFocus } from '../restore-focus.ts'
import { useAction } from '../use-action.ts'
import { DialogButtons } from './dialog.tsx'
import { backdropClass } from './overlay.tsx'

export interface Question {
  /** Names the object: `Revoke Ann’s access to Issue 7?` */
  title: string
  /** The effect of the action, with numbers: paragraphs of text, or an element that shows them. */
  effect: string | readonly string[] | ReactElement
  /** The label of the confirm button: the action, never “OK”. */
  action: string
  /** The label of the button that changes nothing. */
  dismiss?: string
  variant?: ButtonVariant
  /** A text that must be typed first, for actions that can't be undone. */
  typed?: string
  /** Additional fields. */
  children?: ReactNode
  disabled?: boolean
  /** The dialog closes when this resolves; an error is shown in it. */
  onConfirm: () => Promise<unknown>
}

/** The state of a dialog: whether it is open, and how it is closed. */
export interface DialogState {
  open: boolean
  onClose: () => void
}

export function ConfirmDialog({ open, onClose, ...rest }: Question & DialogState): ReactNode {
  return (
    <AlertDialog.Root open={open} onOpenChange={(next) => !next && onClose()}>
      <AlertDialog.Portal>
        <AlertDialog.Overlay className={backdropClass} />
        <AlertDialog.Content
          onCloseAutoFocus={restoreFocus}
          className="fixed top-[12dvh] left-1/2 z-50 max-h-[80dvh] w-[calc(100vw-2rem)] max-w-md -translate-x-1/2 animate-appear overflow-y-auto rounded-xl border border-line bg-raised p-5 shadow-float"
        >
          <Form onClose={onClose} {...rest} />
        </AlertDialog.Content>
      </AlertDialog.Portal>
    </AlertDialog.Root>
  )
}

/** A separate component, so that its state is reset each time the dialog opens. */
function Form({
  onClose,
  title,
  effect,
  action,
  dismiss = texts.common.cancel,
  variant = 'danger',
  typed,
  children,
  disabled = false,
  onConfirm,
}: Question & Pick<DialogState, 'onClose'>): ReactNode {
  const [text, setText] = useState('')
  const { busy, problem, run } = useAction(async () => {
    await onConfirm()
    onClose()
  })
  return (
    <div className="grid gap-4">
      <AlertDialog.Title className="text-base font-semibold">{title}</AlertDialog.Title>
      <AlertDialog.Description asChild>
        <div className="grid gap-2">
          <Effect effect={effect} />
        </div>
      </AlertDialog.Description>
      {children}
      {typed !== undefined && (
        <TextField
          label={texts.confirm.type(typed)}
          value={text}
          onChange={({ target }) => setText(target.value)}
          spellCheck={false}
        />
      )}
      {problem !== undefined && <Notice tone="failed">{problem}</Notice>}
      <DialogButtons>
        <AlertDialog.Cancel asChild>
          <Button>{dismiss}</Button>
        </AlertDialog.Cancel>
        <Button
          variant={variant}
          busy={busy}
          disabled={disabled || (typed !== undefined && text.trim() !== typed)}
          onClick={run}
        >
          {action}
        </Button>
      </DialogButtons>
    </div>
  )
}

function Effect({ effect }: Pick<Question, 'effect'>): ReactNode {
  if (isValidElement(effect)) return effect
  return [effect].flat().map((text) => <p key={text}>{text}</p>)
}
