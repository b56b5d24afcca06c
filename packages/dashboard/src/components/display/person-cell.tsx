import type { ReactNode } from 'react'
import { EmailWrap } from './email-wrap.tsx'

interface Props {
  /** First and last name; may be empty. */
  name: string
  /** Shown alone without a name, and below it otherwise. */
  label: string
}

/** A person in a list: the name, and what else identifies them. */
export function PersonCell({ name, label }: Props): ReactNode {
  if (name === '' || name === label) return <EmailWrap>{label}</EmailWrap>
  return (
    <>
      <EmailWrap>{name}</EmailWrap>
      {label !== '' && (
        <span className="block font-normal text-soft">
          <EmailWrap>{label}</EmailWrap>
        </span>
      )}
    </>
  )
}
