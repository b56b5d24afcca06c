import type { ReactNode } from 'react'
import { Dialog } from '../overlays/dialog.tsx'

interface FormProps {
  onClose: () => void
}

/** Makes a dialog of a form. The form exists only while the dialog is open, so it starts anew each time. */
export function formDialog<P extends FormProps>(
  Form: (props: P) => ReactNode,
  titleOf: (props: P) => string,
  lead?: string,
): (props: P & { open?: boolean }) => ReactNode {
  return function FormDialog({ open = true, ...props }) {
    // TypeScript can't tell that what is left of a generic type is that type.
    const form = props as unknown as P
    return (
      <Dialog open={open} onClose={form.onClose} title={titleOf(form)} lead={lead}>
        <Form {...form} />
      </Dialog>
    )
  }
}
