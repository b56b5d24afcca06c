import { User } from 'lucide-react'
import type { ReactNode } from 'react'
import { texts } from '../../texts.ts'
import { cx } from '../cx.ts'
import { EmailWrap } from './email-wrap.tsx'
import { initialsOf } from './initials.ts'

interface Props {
  /** First and last name; may be empty. */
  name: string
  /** May be empty. */
  email: string
  /** Shown for a person with neither name nor address. */
  fallback?: string
  /** More lines below. */
  children?: ReactNode
}

/** The label of a person: the name, or the address, or else the fallback. */
export const personLabelOf = ({ name, email, fallback = '' }: Omit<Props, 'children'>): string =>
  name || email || fallback || texts.people.unnamed

/** A circle with the initials of a person; decorative, because the name is always beside it. */
export function Initials({
  name,
  email,
  large = false,
}: {
  name: string
  email: string
  large?: boolean
}): ReactNode {
  const initials = initialsOf(name, email)
  return (
    <span
      aria-hidden
      className={cx(
        'grid shrink-0 place-items-center rounded-full bg-hover font-medium text-soft select-none',
        large ? 'size-10 text-sm' : 'size-7 text-xs',
      )}
    >
      {initials === '' ? <User size={large ? 18 : 14} /> : initials}
    </span>
  )
}

/** A person in a list: initials, the name, and the address below it. */
export function PersonCell({ children, ...person }: Props): ReactNode {
  const { name, email } = person
  const label = personLabelOf(person)
  return (
    <span className="flex items-start gap-2.5">
      <Initials name={name} email={email} />
      <span className="min-w-0 self-center">
        <EmailWrap>{label}</EmailWrap>
        {email !== '' && email !== label && (
          <span className="block font-normal text-soft">
            <EmailWrap>{email}</EmailWrap>
          </span>
        )}
        {children}
      </span>
    </span>
  )
}
