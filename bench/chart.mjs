// Draws a chart of the access checks as SVG: responses per second of each contestant.
import { shown } from './statistics.mjs'

const NAMES = { sqlite: 'SQLite', postgres: 'PostgreSQL' }
const [WIDTH, LEFT, BAR, GAP] = [760, 190, 16, 6]
const COLOURS = { Gatehouse: '#1f6f5c', other: '#b9c4c0' }

const text = (x, y, words, more = '') =>
  `<text x="${x}" y="${y}" font-family="sans-serif" font-size="12" fill="#333"${more}>${words.replaceAll('&', '&amp;')}</text>`

function bar(y, { name, perSecond }, most) {
  const length = (value) => (value / most) * (WIDTH - LEFT - 90)
  const colour = name === 'Gatehouse' ? COLOURS.Gatehouse : COLOURS.other
  const middle = y + BAR / 2
  const [from, to] = [perSecond.least, perSecond.most].map((value) => LEFT + length(value))
  return [
    text(LEFT - 8, y + BAR - 4, name, ' text-anchor="end"'),
    `<rect x="${LEFT}" y="${y}" width="${length(perSecond.median).toFixed(1)}" height="${BAR}" fill="${colour}"/>`,
    `<line x1="${from.toFixed(1)}" y1="${middle}" x2="${to.toFixed(1)}" y2="${middle}" stroke="#333"/>`,
    text(Math.max(to, LEFT + length(perSecond.median)) + 6, y + BAR - 4, shown(perSecond.median)),
  ].join('\n')
}

export function drawChart(results) {
  const groups = Object.entries(results).flatMap(([engine, { check }]) =>
    Object.entries(check?.laws ?? {}).map(([law, { contestants }]) => ({
      title: `Access checks a second on ${NAMES[engine]}, readers drawn ${law === 'zipf' ? 'by a Zipf law' : 'uniformly'}`,
      contestants,
    })),
  )
  const most = Math.max(
    ...groups.flatMap((group) => group.contestants.map((one) => one.perSecond.most)),
  )
  const parts = []
  let y = 10
  for (const { title, contestants } of groups) {
    parts.push(text(10, y + 12, title, ' font-weight="bold"'))
    y += 24
    for (const one of contestants) {
      parts.push(bar(y, one, most))
      y += BAR + GAP
    }
    y += 14
  }
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${y}" width="${WIDTH}" height="${y}" role="img">\n<title>Access checks a second</title>\n<rect width="${WIDTH}" height="${y}" fill="#fff"/>\n${parts.join('\n')}\n</svg>\n`
}
