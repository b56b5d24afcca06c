import type { ListLink } from '@gatehouse/server/dashboard-api'
import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { useAppScope } from '../../app-scope.ts'

interface Props {
  list: ListLink
  className: string
  'aria-label'?: string
  children: ReactNode
}

/** Leads to the records that a figure counts. */
export function LinkToList({ list, ...link }: Props): ReactNode {
  const { path } = useAppScope()
  return <Link to={path(list.page)} search={list.query as never} {...link} />
}

/** A link to a list inside a sentence. */
export function ListText({ list, children }: { list: ListLink; children: string }): ReactNode {
  return (
    <LinkToList
      list={list}
      className="underline decoration-line underline-offset-2 hover:decoration-current"
    >
      {children}
    </LinkToList>
  )
}
