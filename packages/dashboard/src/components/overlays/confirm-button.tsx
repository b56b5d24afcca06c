import { type ReactNode, useState } from 'react'
import { Button, type ButtonProps } from '../button.tsx'
import { ConfirmDialog, type Question } from './confirm-dialog.tsx'

interface Props extends Question {
  button?: Pick<ButtonProps, 'variant' | 'icon' | 'aria-label'>
}

/** A button named after its action, which is done only when it has been confirmed. */
export function ConfirmButton({ button, ...question }: Props): ReactNode {
  const [isAsking, setAsking] = useState(false)
  return (
    <>
      <Button {...button} onClick={() => setAsking(true)}>
        {question.action}
      </Button>
      <ConfirmDialog open={isAsking} onClose={() => setAsking(false)} {...question} />
    </>
  )
}
