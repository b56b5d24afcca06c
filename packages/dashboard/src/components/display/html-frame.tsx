import type { ReactNode } from 'react'

export type ColorScheme = 'light' | 'dark'

interface Props {
  /** HTML from the service, with styles in `style="…"` and `<style>`. */
  html: string
  title: string
  /** Shows it in this color scheme, instead of the one that the browser prefers. */
  scheme?: ColorScheme | undefined
  /** Shows it as a picture: nothing in it can be focused or clicked. */
  isPicture?: boolean
}

const SHEET = /<style>([\s\S]*?)<\/style>/g
/** Without https, the policy allows only images of the address at which the dashboard was opened, such as `localhost`. */
const PLAIN_ORIGIN = /(<img [^>]*src=")http:\/\/[^/"]+/g
const FOR_DARK = /@media\s*\(prefers-color-scheme:\s*dark\)/g

/**
 * Shows a mail or a page as its reader sees it. The content security policy, which also applies inside the frame, forbids
 * inline styles, so they are applied from outside after loading. No scripts run inside, no form can be sent, and links are
 * disabled because some work only once.
 */
export function HtmlFrame({ html, title, scheme, isPicture = false }: Props): ReactNode {
  const sheet = [...html.matchAll(SHEET)].map(([, rules]) => rules).join('\n')
  const bare = html
    .replaceAll(SHEET, '')
    .replaceAll(PLAIN_ORIGIN, '$1')
    .replaceAll(' style="', ' data-style="')
  return (
    <iframe
      // A frame that is loaded already gets no second `load` when only its style changes.
      key={`${scheme} ${sheet}`}
      title={title}
      // Same origin, so that we can access the document; no scripts, so that its content can't do anything.
      sandbox="allow-same-origin"
      srcDoc={bare}
      onLoad={({ currentTarget }) =>
        dress(currentTarget, inScheme(sheet, scheme), scheme, isPicture)
      }
      className="block h-96 w-full rounded-lg border border-line bg-paper"
    />
  )
}

/** Makes the rules for dark apply always, or never. */
const inScheme = (sheet: string, scheme: ColorScheme | undefined) =>
  scheme === undefined
    ? sheet
    : sheet.replaceAll(FOR_DARK, scheme === 'dark' ? '@media all' : '@media not all')

function dress(
  frame: HTMLIFrameElement,
  sheet: string,
  scheme: ColorScheme | undefined,
  isPicture: boolean,
): void {
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
  if (scheme !== undefined) inside.documentElement.style.setProperty('color-scheme', scheme)
  inside.body.inert = isPicture
  fitToContent(frame, inside.body)
  view.addEventListener('resize', () => fitToContent(frame, inside.body))
}

/** Fits the frame to its content, including the frame's own border. A page is at least as high as its frame, so it is
 * measured in a frame without height. */
function fitToContent(frame: HTMLIFrameElement, body: HTMLElement): void {
  frame.style.setProperty('height', '0')
  frame.style.setProperty('height', `${body.offsetHeight + 2}px`)
}
