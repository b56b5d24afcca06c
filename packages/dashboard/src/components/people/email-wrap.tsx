import type { ReactNode } from 'react'

/** A name that may be an email address, which should wrap after its @ rather than within a word. */
export function EmailWrap({ children }: { children: string }): ReactNode {
  const at = children.indexOf('@') + 1
  if (at === 0) return children
  return (
    <>
      {children.slice(0, at)}
      <wbr />
      {children.slice(at)}
    </>
  )
}
