import { Children, type ReactNode } from 'react'

/** A list of lines, or a text if there are none. */
export function RecordList({ none, children }: { none: string; children: ReactNode }): ReactNode {
  if (Children.count(children) === 0) return <p className="py-2 text-soft">{none}</p>
  return <ul className="divide-y divide-line">{children}</ul>
}

interface Props {
  title: ReactNode
  badge: ReactNode
  action?: ReactNode
  children: ReactNode
}

export function RecordLine({ title, badge, action, children }: Props): ReactNode {
  return (
    <li className="flex flex-wrap items-start justify-end gap-x-3 gap-y-1 py-2.5">
      <div className="min-w-0 flex-1 basis-44">
        <p className="font-medium [&_a]:underline [&_a]:decoration-line [&_a]:underline-offset-2 [&_a]:hover:decoration-current">
          {title}
        </p>
        <p className="text-soft">{children}</p>
      </div>
      <div className="flex shrink-0 flex-col items-end gap-1">
        {badge}
        {action}
      </div>
    </li>
  )
}
