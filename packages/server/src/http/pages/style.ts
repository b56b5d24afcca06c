/** How many options of a checkout change the order summary and the button by style alone. */
export const MAX_LIVE_OFFERS = 12

/** Shows the texts of the chosen option, without a script. Browsers that lack `:has` keep the text that fits any. */
const CHOSEN_OFFER = `form:has([data-n]:checked) .for-any { display: none; }
${Array.from({ length: MAX_LIVE_OFFERS }, (_, n) => `form:has([data-n="${n}"]:checked) .for-${n}`).join(', ')} { display: block; }`

/** A calm style: system fonts, light or dark as the reader prefers, from 320 pixels of width. The application's colors
 * come before it. */
export const STYLE = `
:root {
  color-scheme: light dark;
  --ink: #1a1e1e; --soft: #575f5f; --line: #e2e4e1; --edge: #7b8482;
  --bad: #a3241c; --bad-tint: #fcefed; --warn: #7a4b00; --warn-tint: #fdf3df;
  --shade: 0 0 0 1px rgb(20 30 30 / .06), 0 1px 2px rgb(20 30 30 / .05), 0 14px 36px -16px rgb(20 30 30 / .18);
}
@media (prefers-color-scheme: dark) {
  :root {
    --ink: #e9ecea; --soft: #a8b0ae; --line: #333837; --edge: #78827f;
    --bad: #ff9d94; --bad-tint: #35201e; --warn: #f2c078; --warn-tint: #2f2618;
    --shade: 0 0 0 1px var(--line);
  }
}
* { box-sizing: border-box; }
body {
  margin: 0; min-height: 100vh; min-height: 100dvh; display: flex; flex-direction: column;
  background: var(--paper); color: var(--ink); overflow-wrap: anywhere;
  font: 1rem/1.55 system-ui, -apple-system, 'Segoe UI', Roboto, 'Noto Sans', sans-serif;
  -webkit-text-size-adjust: 100%;
}
p, h1, h2, ul, ol, dl, dd, fieldset { margin: 0; }
a { color: var(--accent); text-underline-offset: .18em; }
a:hover { color: var(--accent-deep); }
:focus-visible { outline: 3px solid var(--accent); outline-offset: 2px; border-radius: 6px; }
h1 { font-size: clamp(1.5rem, 1.25rem + 1.3vw, 2rem); line-height: 1.2; letter-spacing: -.018em; text-wrap: balance; }
h2 { font-size: 1.05rem; line-height: 1.35; }
.about { display: grid; gap: .75rem; }
.about p { white-space: pre-line; }
.about ul, .about ol { padding-left: 1.3rem; }
.soft { color: var(--soft); }
.small { font-size: .88rem; }

.ribbon { padding: .5rem 1.25rem; background: var(--warn-tint); color: var(--warn); font-size: .9rem; text-align: center; }
.ribbon strong { font-weight: 650; }
.brand { width: 100%; max-width: 31rem; margin: 0 auto; padding: clamp(1.25rem, 4vw, 2.5rem) 1.25rem 0; font-size: 1.1rem; font-weight: 650; letter-spacing: -.01em; }
main { flex: 1; width: 100%; max-width: 31rem; margin: 0 auto; padding: clamp(1.25rem, 3vw, 2rem) 1.25rem 2.5rem; }
footer { display: grid; gap: .35rem; padding: 1.5rem 1.25rem 2rem; color: var(--soft); font-size: .85rem; text-align: center; }
footer a { color: inherit; }
footer a:hover { color: var(--accent); }
.legal { display: flex; flex-wrap: wrap; justify-content: center; gap: .25rem 1.25rem; }
.brand img { display: block; max-width: min(14rem, 70vw); max-height: 3rem; width: auto; height: auto; }
@media (prefers-color-scheme: dark) { .brand img { padding: .4rem .6rem; border-radius: 8px; background: #ffffff; } }
.head { display: grid; gap: .6rem; margin-bottom: 1.5rem; }
.card {
  display: grid; gap: 1.25rem; padding: clamp(1.25rem, 5vw, 2rem);
  background: var(--card); border-radius: 14px; box-shadow: var(--shade);
}
.card + .card { margin-top: 1.25rem; }
.cover { display: block; width: auto; max-width: 100%; height: auto; max-height: 16rem; border-radius: 10px; }

.thumb { display: block; width: auto; max-width: 100%; height: auto; max-height: 7rem; border-radius: 8px; }

.sum { font-size: clamp(1.6rem, 1.35rem + 1.4vw, 2.1rem); font-weight: 650; line-height: 1.15; letter-spacing: -.02em; }
.sum small { font-size: 1rem; font-weight: 500; letter-spacing: 0; color: var(--soft); }

form { display: grid; gap: 1.25rem; }
fieldset { border: 0; padding: 0; min-width: 0; display: grid; gap: .6rem; }
legend, .label { padding: 0; margin-bottom: .35rem; font-weight: 600; font-size: .95rem; display: block; }
.optional { font-weight: 400; font-size: .82rem; color: var(--soft); white-space: nowrap; }
.field { min-width: 0; }
.hint { color: var(--soft); font-size: .88rem; margin-top: .35rem; }
input:not([type=radio]) {
  width: 100%; min-height: 3rem; padding: .6rem .8rem; font: inherit; color: inherit;
  background: var(--card); border: 1px solid var(--edge); border-radius: 10px;
}
input:not([type=radio]):hover { border-color: var(--accent); }
input:not([type=radio]):focus-visible { outline-offset: 0; border-color: var(--accent); border-radius: 10px; }
input[aria-invalid=true] { border-color: var(--bad); box-shadow: inset 0 0 0 1px var(--bad); }
.wrong { color: var(--bad); font-size: .92rem; font-weight: 550; margin-bottom: .35rem; }
.pair { display: grid; gap: 1.25rem .9rem; grid-template-columns: repeat(auto-fit, minmax(min(10rem, 100%), 1fr)); }
.fixed { padding: .7rem .8rem; border-radius: 10px; background: var(--tint); }

.offer {
  display: grid; grid-template-columns: auto 1fr; gap: 0 .85rem; align-items: center; cursor: pointer;
  padding: .85rem 1rem; background: var(--card); border: 1px solid var(--edge); border-radius: 12px;
}
.offer:hover { border-color: var(--accent); }
.offer:has(:checked) { border-color: var(--accent); box-shadow: inset 0 0 0 1px var(--accent); background: var(--tint); }
@supports selector(:has(*)) {
  .offer:has(:focus-visible) { outline: 3px solid var(--accent); outline-offset: 2px; }
  .offer input:focus-visible { outline: 0; }
}
.offer input { width: 1.25rem; height: 1.25rem; margin: 0; accent-color: var(--accent); }
.offer b { font-weight: 650; }
.offer .hint { grid-column: 2; margin: .1rem 0 0; }
.alt { display: none; }
@supports selector(:has(*)) {
  ${CHOSEN_OFFER}
}

button, .button {
  display: inline-flex; align-items: center; justify-content: center; width: 100%; min-height: 3.1rem;
  padding: .7rem 1.4rem; font: inherit; font-weight: 600; text-align: center; text-decoration: none; cursor: pointer;
  color: var(--on-button); background: var(--button); border: 1px solid var(--button-edge); border-radius: 10px;
}
button:hover, .button:hover { background: var(--button-deep); color: var(--on-button); }
button:focus-visible, .button:focus-visible { border-radius: 10px; }
.text { width: auto; min-height: 0; padding: .2rem 0; background: none; border: 0; color: var(--accent); font-weight: inherit; text-decoration: underline; text-underline-offset: .18em; }
.text:hover { background: none; color: var(--accent-deep); }
.quiet { color: var(--ink); background: transparent; border-color: var(--edge); }
.quiet:hover { color: var(--ink); background: var(--tint); }
.actions { display: grid; gap: .75rem; grid-template-columns: repeat(auto-fit, minmax(min(12rem, 100%), 1fr)); }

.actions + .hint { margin-top: -.5rem; }
time { white-space: nowrap; }

.note { padding: .8rem 1rem; border-radius: 12px; background: var(--tint); }
.note.bad { background: var(--bad-tint); color: var(--bad); }
.note.warn { background: var(--warn-tint); color: var(--warn); }
.note a { color: inherit; }
.note ul { padding-left: 1.2rem; }

.facts { display: grid; gap: .8rem; }
.facts > div { display: flex; flex-wrap: wrap; justify-content: space-between; gap: .1rem 1.5rem; padding-bottom: .8rem; border-bottom: 1px solid var(--line); }
.facts > div:last-child { padding-bottom: 0; border: 0; }
.facts dt { color: var(--soft); }
.facts dd { margin-left: auto; text-align: right; font-weight: 550; font-variant-numeric: tabular-nums; }
.facts .total dt { color: inherit; font-weight: 600; }
.facts .total dd { font-size: 1.25rem; font-weight: 650; line-height: 1.25; }
.pill { display: inline-block; padding: .1rem .65rem; border-radius: 99px; background: var(--tint); color: var(--accent); font-size: .9rem; font-weight: 600; }
.pill.past_due { background: var(--warn-tint); color: var(--warn); }
.pill.ended, .pill.canceled { background: var(--line); color: var(--ink); }
.summary { display: grid; gap: .8rem; padding: 1rem 1.1rem; border: 1px solid var(--line); border-radius: 12px; }

.files { display: grid; gap: .9rem; padding: 0; list-style: none; }
.file { display: flex; flex-wrap: wrap; align-items: center; justify-content: space-between; gap: .6rem 1.25rem; padding: .8rem 1rem; border: 1px solid var(--line); border-radius: 12px; }
.file > div { flex: 1 1 12rem; min-width: 0; }
.file-name { font-weight: 600; }
.file form { flex: 0 1 auto; }
.file button { width: auto; min-height: 2.75rem; padding: .5rem 1.1rem; }

.links { display: grid; gap: 1.1rem; padding: 0; list-style: none; }
.links li { display: grid; gap: .1rem; }
.links a { font-weight: 600; }
.card + .small { margin-top: 1.25rem; }

.mark { width: 3.2rem; height: 3.2rem; display: grid; place-items: center; border-radius: 50%; background: var(--tint); color: var(--accent); }
.mark::before { content: ''; box-sizing: border-box; width: .8rem; height: 1.35rem; margin-top: -.3rem; border: solid currentColor; border-width: 0 3px 3px 0; transform: rotate(45deg); }
.mark.wait::before { width: 1.5rem; height: 1.5rem; margin: 0; transform: none; border: 3px solid var(--line); border-top-color: currentColor; border-radius: 50%; }
@media (prefers-reduced-motion: no-preference) { .mark.wait::before { animation: turn 1s linear infinite; } }
@keyframes turn { to { transform: rotate(1turn); } }

table { width: 100%; border-collapse: collapse; font-size: .92rem; }
caption { text-align: left; font-weight: 600; padding-bottom: .5rem; }
th, td { text-align: left; vertical-align: top; padding: .55rem 1rem .55rem 0; border-top: 1px solid var(--line); font-weight: 400; }
thead th { border: 0; color: var(--soft); font-size: .85rem; padding-top: 0; }
tbody th { white-space: nowrap; font-variant-numeric: tabular-nums; user-select: all; }
@media (max-width: 34rem) {
  thead { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); }
  tr, th, td { display: block; padding: 0; border: 0; }
  tbody tr { padding: .6rem 0; border-top: 1px solid var(--line); }
  tbody th { font-weight: 600; }
}

.buy > form { gap: 1.6rem; }
.buy .head { margin: 0; gap: 1rem; }
.owned { margin-bottom: 2rem; }
.buy fieldset { margin-top: .4rem; }
@media (min-width: 60rem) {
  .buy, .plastic, header:has(+ .buy) .brand, header:has(+ .plastic) .brand { max-width: 64rem; }
  .buy > form { grid-template-columns: 1fr 26rem; gap: 1.5rem 4.5rem; align-items: start; }
  .buy .cover { max-height: 24rem; }
  .buy > form > .note { grid-column: 1 / -1; }
  .plastic { display: grid; align-content: start; grid-template-columns: 27rem 1fr; gap: 0 2rem; align-items: start; }
  .plastic .head { grid-column: 1 / -1; }
  .plastic .card + .card { margin: 0; }
}
`
