import { type ReactNode, useEffect } from 'react'
import { texts } from '../texts.ts'

interface Props {
  title: string
  lead?: ReactNode
  children: ReactNode
}

/** The frame of pages for people who are not signed in. Behind a proxy the server can't tell whether the connection is
 * encrypted, but the browser can: on an insecure connection there is no password field. */
export function SignedOutFrame(props: Props): ReactNode {
  if (isSecureContext) return <Framed {...props} />
  return <Framed title={texts.link.insecureTitle}>{texts.link.insecure}</Framed>
}

function Framed({ title, lead, children }: Props): ReactNode {
  useEffect(() => {
    document.title = texts.title(title)
  }, [title])
  return (
    <main className="mx-auto grid min-h-dvh w-full max-w-[25rem] content-center gap-6 px-4 py-10">
      <div className="flex items-center justify-center gap-2 font-semibold text-accent">
        <span aria-hidden className="size-3 rounded-t-full rounded-b-[3px] bg-current" />
        {texts.product}
      </div>
      <div className="grid gap-5 rounded-2xl border border-line bg-card p-6 shadow-card sm:p-7">
        <div className="grid gap-1">
          <h1 className="text-xl font-semibold tracking-tight">{title}</h1>
          {lead !== undefined && <div className="text-soft">{lead}</div>}
        </div>
        {children}
      </div>
    </main>
  )
}
