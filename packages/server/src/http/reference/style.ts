/** A calm style that needs no files: system fonts, light or dark as the reader prefers. */
export const STYLE = `
:root {
  color-scheme: light dark;
  --paper: #fbfbf9; --card: #ffffff; --ink: #1e2320; --soft: #59625c; --line: #dfe2dc;
  --accent: #1f5f4a; --code: #f1f3ee; --get: #1f5f4a; --post: #8a4b08; --on-badge: #ffffff; --delete: #a3262a;
  --mono: ui-monospace, SFMono-Regular, Menlo, Consolas, 'DejaVu Sans Mono', monospace;
}
@media (prefers-color-scheme: dark) {
  :root {
    --paper: #151816; --card: #1c201d; --ink: #e6eae5; --soft: #a3ada6; --line: #333a35;
    --accent: #7fd0ae; --code: #222723; --get: #7fd0ae; --post: #f0b26b; --on-badge: #151816; --delete: #ff9d97;
  }
}
* { box-sizing: border-box; }
html { scroll-padding-top: 1.5rem; }
@media (prefers-reduced-motion: no-preference) { html { scroll-behavior: smooth; } }
body {
  margin: 0; background: var(--paper); color: var(--ink);
  font: 1rem/1.6 system-ui, -apple-system, 'Segoe UI', Roboto, 'Noto Sans', sans-serif;
}
.skip { position: absolute; left: -100vw; }
.skip:focus { left: 1rem; top: .5rem; padding: .5rem 1rem; background: var(--card); z-index: 1; }
a { color: var(--accent); text-underline-offset: .15em; }
:focus-visible { outline: 2px solid var(--accent); outline-offset: 2px; border-radius: 4px; }
header, footer, .columns { max-width: 76rem; margin: 0 auto; padding: 0 1.25rem; }
header { padding-top: 2.5rem; padding-bottom: 1.5rem; }
header p { margin: 0; color: var(--soft); }
.brand { font-weight: 600; letter-spacing: .04em; color: var(--accent); }
h1 { margin: .2rem 0 .6rem; font-size: clamp(1.7rem, 5vw, 2.4rem); line-height: 1.15; letter-spacing: -.015em; }
h2 { margin: 0 0 1rem; font-size: 1.5rem; line-height: 1.25; letter-spacing: -.01em; }
h3 { margin: 2rem 0 .5rem; font-size: 1.12rem; line-height: 1.4; }
h4 { margin: 1.75rem 0 .5rem; font-size: .95rem; color: var(--soft); font-weight: 600; }
p, ul, ol { margin: 0 0 1rem; max-width: 44rem; }
li { margin-bottom: .35rem; }
nav { font-size: .92rem; padding: 1rem 0; border-top: 1px solid var(--line); }
nav ul { list-style: none; margin: 0; padding: 0; }
nav ul ul { padding-left: .75rem; margin: .25rem 0; border-left: 1px solid var(--line); }
nav li { margin: 0; }
nav a { display: block; padding: .3rem 0; color: inherit; text-decoration: none; }
nav a:hover { color: var(--accent); text-decoration: underline; }
main > section { padding: 2rem 0; border-top: 1px solid var(--line); }
.operation {
  margin: 1.5rem 0 2rem; padding: 1.5rem; background: var(--card);
  border: 1px solid var(--line); border-radius: 12px;
}
.operation h3 { margin: 0 0 .6rem; overflow-wrap: anywhere; }
.operation > :last-child, .operation > :last-child > :last-child { margin-bottom: 0; }
.lead { font-size: 1.12rem; margin-bottom: .25rem; }
.method {
  display: inline-block; min-width: 3.2em; padding: .05em .5em; border-radius: 5px; text-align: center;
  font: 600 .78em/1.6 var(--mono); color: var(--on-badge); background: var(--get);
}
.method.post, .method.put, .method.patch { background: var(--post); }
.method.delete { background: var(--delete); }
nav .method { font-size: .68em; }
nav code { font-size: .86em; }
code, pre { font-family: var(--mono); font-size: .88em; }
h3 code { font-size: .95em; font-weight: 600; }
th code, td code { font-size: .95em; }
p code, li code, dd code { padding: .1em .35em; border-radius: 4px; background: var(--code); overflow-wrap: anywhere; }
nav li code { padding: 0; background: none; }
pre {
  margin: 0 0 1rem; padding: .9rem 1rem; overflow-x: auto; border-radius: 8px; line-height: 1.55; tab-size: 2;
  background: var(--code); border: 1px solid var(--line);
}
pre code { font-size: 1em; }
.code { position: relative; }
.code pre { padding-right: 6rem; white-space: pre-wrap; overflow-wrap: anywhere; }
.copy {
  position: absolute; top: .4rem; right: .4rem; min-height: 2rem; padding: .1rem .7rem; cursor: pointer;
  font: inherit; font-size: .85rem; border: 1px solid var(--soft); border-radius: 8px; background: var(--card); color: var(--ink);
}
table { width: 100%; margin: 0 0 1rem; border-collapse: collapse; font-size: .92rem; }
caption { text-align: left; padding: .5rem 0; color: var(--soft); font-weight: 600; }
th, td { padding: .5rem .9rem .5rem 0; text-align: left; vertical-align: top; border-top: 1px solid var(--line); }
thead th { border-top: 0; padding-top: 0; color: var(--soft); font-weight: 500; white-space: nowrap; }
tbody th { font-weight: 600; white-space: nowrap; }
.facts { margin: 0 0 1rem; display: grid; gap: .2rem 1.25rem; }
.facts dt { color: var(--soft); }
.facts dd { margin: 0 0 .5rem; overflow-wrap: anywhere; }
.failures { padding-left: 1.1rem; }
.note { padding: .8rem 1rem; border-left: 3px solid var(--post); background: var(--card); }
footer { padding-top: 1.5rem; padding-bottom: 3rem; color: var(--soft); font-size: .92rem; }
@media (min-width: 40rem) {
  .facts { grid-template-columns: max-content 1fr; }
}
@media (min-width: 62rem) {
  .columns { display: grid; grid-template-columns: 15.5rem minmax(0, 1fr); gap: 3rem; }
  nav { position: sticky; top: 0; align-self: start; max-height: 100vh; overflow-y: auto; }
  .beside { display: grid; grid-template-columns: minmax(0, 1fr) 21rem; gap: 1.5rem; align-items: start; }
  .beside pre { font-size: .78em; margin-top: .5rem; }
}
@media (max-width: 40rem) {
  .operation { padding: 1.1rem; }
  pre { white-space: pre-wrap; overflow-wrap: anywhere; }
  table, caption, tbody, tr, th, td { display: block; }
  thead { position: absolute; left: -100vw; }
  tr { padding: .6rem 0; border-top: 1px solid var(--line); }
  th, td { padding: 0; border: 0; }
  tbody th { white-space: normal; overflow-wrap: anywhere; padding-bottom: .15rem; }
  td { display: inline-block; margin-right: 1rem; }
  td[data-label]::before { content: attr(data-label) ': '; color: var(--soft); }
  td:empty { display: none; }
  td[data-label='Meaning'], td[data-label='Address'] { display: block; margin: 0; }
  td[data-label='Meaning']::before, td[data-label='Address']::before { content: none; }
}
@media print {
  nav, .skip { display: none; }
  .operation, pre { break-inside: avoid; }
}
`
