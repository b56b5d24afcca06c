import type { ReactNode } from 'react'

interface Props {
  /** HTML from the service, with styles in `style="…"` and `<style>`. */
  html: string
  title: string
}

const SHEET = /<style>([\s\S]*?)<\/style>/g

/**
 * Shows a mail as its recipient sees it. The content security policy, which also applies inside the frame, forbids
 * inline styles, so they are applied from outside after loading. No scripts run inside, and links are disabled because
 * some work only once.
 */
export function MailFrame({ html, title }: Props): ReactNode {
  const sheet = [...html.matchAll(SHEET)].map(([, rules]) => rules).join('\n')
  const bare = html.replaceAll(SHEET, '').replaceAll(' style="', ' data-style="')
  return (
    <iframe
      title={title}
      // Same origin, so that we can access the document; no scripts, so that its content can't do anything.
      sandbox="allow-same-origin"
      srcDoc={bare}
      onLoad={({ currentTarget }) => dress(currentTarget, sheet)}
      className="block h-96 w-full rounded-lg border border-line bg-paper"
    />
  )
}

function dress(frame: HTMLIFrameElement, sheet: string): void {
  const { contentDocument: inside, contentWindow: view } = frame
  if (inside === null || view === null) return
  for (const element of inside.querySelectorAll<HTMLElement>('[data-style]')) {
    element.style.cssText = element.dataset.style ?? ''
  }
  for (const link of inside.querySelectorAll('a')) {
    link.title = link.getAttribute('href') ?? ''
    link.removeAttribute('href')
    if (link.style.textDecoration === '') link.style.textDecoration = 'underline'
  }
  const { CSSStyleSheet: Sheet } = view as Window & typeof globalThis
  const rules = new Sheet()
  rules.replaceSync(sheet)
  inside.adoptedStyleSheets = [rules]
  // Fits the frame to the mail, including the frame's own border.
  const fit = () => frame.style.setProperty('height', `${inside.body.offsetHeight + 2}px`)
  fit()
  view.addEventListener('resize', fit)
}
