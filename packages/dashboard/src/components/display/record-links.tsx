import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { useAppScope } from '../../app-scope.ts'
import { ridToSegment } from '../../resource-path.ts'

/** The style of links in tables and facts. */
export const linkClass =
  'text-accent underline decoration-line underline-offset-2 hover:decoration-current'

/** Names the person of a record: the name and the address, if both are known. */
export function PersonOfRecord({
  uid,
  name,
  label,
}: {
  uid: string
  name: string
  /** The address, or what stands for it. */
  label: string
}): ReactNode {
  return (
    <>
      <PersonLink uid={uid}>{name || label}</PersonLink>
      {name !== '' && name !== label && ` · ${label}`}
    </>
  )
}

export function PersonLink({ uid, children }: { uid: string; children: ReactNode }): ReactNode {
  const { path } = useAppScope()
  return (
    <Link to={path('people', uid)} className={linkClass}>
      {children}
    </Link>
  )
}

export function ResourceLink({ rid, children }: { rid: string; children?: ReactNode }): ReactNode {
  const { path } = useAppScope()
  return (
    <Link to={path('resources', ridToSegment(rid))} className={linkClass}>
      {children ?? rid}
    </Link>
  )
}
