import { htmlDocument } from '../../pages/document.ts'
import { Html, html, NOTHING } from '../../pages/html.ts'
import { COPY_SCRIPT } from '../copy-script.ts'
import { STYLE } from '../style.ts'
import type { Guide, Library } from './library.ts'

/** The addresses that a page links to. */
export interface GuideAddresses {
  guides: string
  reference: string
  search: string
}

export const GUIDE_STYLE = `${STYLE}
.search { display: flex; gap: .5rem; margin: 1rem 0 0; max-width: 30rem; }
.to-guides { margin-right: 1rem; }
.search input { flex: 1; min-width: 0; }
.search input, .search button {
  font: inherit; min-height: 2.75rem; padding: .3rem .8rem; border: 1px solid var(--soft); border-radius: 8px;
  background: var(--card); color: var(--ink);
}
li pre code { padding: 0; background: none; }
.wide { overflow-x: auto; margin: 0 0 1rem; }
nav h2 { margin: 1rem 0 .25rem; font-size: .85rem; color: var(--soft); letter-spacing: 0; }
nav a { padding: .25rem 0; min-height: 1.5rem; }
nav [aria-current] { font-weight: 600; color: var(--accent); }
main img { display: block; max-width: 100%; height: auto; margin: 0 0 1rem; border: 1px solid var(--line); border-radius: 8px; }
main h2 { margin-top: 2.5rem; }
main { min-width: 0; padding: 1rem 0 3rem; }
@media (min-width: 62rem) {
  .to-guides { display: none; }
  nav { grid-column: 1; grid-row: 1; }
  main { grid-column: 2; grid-row: 1; }
}
@media (max-width: 40rem) {
  .plain td { display: block; }
}
`

interface Page {
  title: string
  main: Html
  slug?: string
  query?: string
}

function layout(library: Library, at: GuideAddresses, { title, main, slug, query }: Page): string {
  const body = html`<a class="skip" href="#content">Skip to the content</a>
<header>
<p class="brand"><a href="${at.guides}">Gatehouse guides</a></p>
<p><a class="to-guides" href="#guides">All guides</a> <a href="${at.reference}">API reference</a></p>
<form class="search" role="search" action="${at.search}">
<input type="search" name="q" aria-label="Search the guides" value="${query ?? ''}" maxlength="100">
<button>Search</button>
</form>
</header>
<div class="columns">
<main id="content">
${main}
</main>
<nav id="guides" aria-label="Guides">
${library.sections.map(
  (section) => html`<h2>${section.title}</h2>
<ul>${section.guides.map((guide) => navigationItem(guide, at, slug))}</ul>`,
)}
</nav>
</div>
<script>${new Html(COPY_SCRIPT)}</script>`
  return htmlDocument({ title: `${title} · Gatehouse`, css: GUIDE_STYLE, body })
}

const addressOf = (guide: Guide, at: GuideAddresses) => `${at.guides}/${guide.slug}`

function navigationItem(guide: Guide, at: GuideAddresses, slug: string | undefined): Html {
  const current = guide.slug === slug ? html` aria-current="page"` : NOTHING
  return html`<li><a href="${addressOf(guide, at)}"${current}>${guide.title}</a></li>`
}

export function guidePage(library: Library, guide: Guide, at: GuideAddresses): string {
  return layout(library, at, { title: guide.title, main: guide.html, slug: guide.slug })
}

export function searchPage(library: Library, query: string, at: GuideAddresses): string {
  const found = library.search(query)
  const items = found.map(
    (guide) => html`<li><a href="${addressOf(guide, at)}">${guide.title}</a></li>`,
  )
  const result =
    found.length === 0
      ? html`<p>No guide has all of these words. Try fewer, or look in the <a href="${at.reference}">API reference</a>.</p>`
      : html`<ul>${items}</ul>`
  const main = html`<h1>Search</h1>
<p>${found.length} guides for &ldquo;${query}&rdquo;</p>
${result}`
  return layout(library, at, { title: 'Search', main, query })
}
