// Formats the results: for a terminal, for the folder of results, and for the docs.
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { drawChart } from './chart.mjs'
import { counted, shown, shownSpread, table } from './statistics.mjs'

const at = (path) => fileURLToPath(new URL(path, import.meta.url))
const NAMES = { sqlite: 'SQLite', postgres: 'PostgreSQL' }

function asked({ least, most }) {
  if (least !== undefined) return `>= ${least}`
  return most === undefined ? 'reported' : `<= ${most}`
}

function cell({ value, reached }) {
  if (!value) return ''
  const text = value.least === value.most ? shown(value.median) : shownSpread(value)
  return reached === false ? `${text} missed` : text
}

function figureLines(figures, engines) {
  const head = ['figure', ...engines.map((engine) => `now, ${NAMES[engine]}`), 'asked', 'limit']
  return [
    head,
    ...figures.map((one) => [one.name, ...one.found.map(cell), asked(one), one.limit ?? '–']),
  ]
}

/** The figures of something that was measured only once. */
const once = (number) => ({ median: number, least: number, most: number })

/** Everything that was measured, part by part: a name, a unit and the numbers. */
const DETAILS = {
  *check({ laws, halfLoad, oneAtATime, explained }) {
    for (const [law, { contestants }] of Object.entries(laws)) {
      for (const { name, perSecond, processor } of contestants) {
        yield [`${name}, ${law}`, 'a second', perSecond]
        if (processor) yield [`${name}, ${law}`, 'µs of a processor each', processor]
      }
    }
    yield ['p99 at half load, Gatehouse', 'ms', halfLoad.ours]
    yield ['p99 at half load, node:http', 'ms', halfLoad.bare]
    yield ['access check over one connection, p50', 'ms', oneAtATime]
    yield ['explained check of one resource', 'ms', explained.one]
    yield ['explained check of 100 resources', 'ms', explained.hundred]
  },
  *passes({ alone, beside, byPass, processor }) {
    yield ['access checks, no passes', 'a second', alone]
    yield ['access checks beside 1,000 passes', 'a second', beside]
    yield ['access checks through a pass', 'a second', byPass]
    const names = { alone: 'no passes', beside: 'beside 1,000 passes', byPass: 'through a pass' }
    for (const [way, time] of Object.entries(processor)) {
      yield [`access checks, ${names[way]}`, 'µs of a processor each', time]
    }
  },
  *grant({ asItIs, slowed }) {
    for (const [disk, { contestants }] of Object.entries({ 'as it is': asItIs, slowed })) {
      for (const { name, perSecond, p99, processor } of contestants) {
        yield [`grants, disk ${disk}, ${name}`, 'µs of a processor each', processor]
        yield [`grants, disk ${disk}, ${name}`, 'a second', perSecond]
        yield [`grants, disk ${disk}, ${name}, p99`, 'ms', p99]
      }
    }
  },
  *mixed({ beside }) {
    for (const { granters, perSecond, keptP50, keptP99, newP50, newP99, processor } of beside) {
      const name = `${granters} clients grant`
      yield [`${name}: grants`, 'a second', perSecond]
      yield [`${name}: check on a kept connection, p50`, 'ms', keptP50]
      yield [`${name}: check on a kept connection, p99`, 'ms', keptP99]
      yield [`${name}: check on a new connection, p50`, 'ms', newP50]
      yield [`${name}: check on a new connection, p99`, 'ms', newP99]
      yield [`${name}: all requests`, 'µs of a processor each', processor]
    }
  },
  *search({ firstPages, paging, coldJump }) {
    for (const [filter, { times }] of Object.entries(firstPages)) {
      for (const [records, time] of Object.entries(times)) {
        yield [`first page, filter ${filter}, ${counted(Number(records))} records`, 'ms', time]
      }
    }
    if (paging.first) yield ['page 0, reading on', 'ms', paging.first]
    if (paging.last) yield [`page ${counted(paging.page)}, reading on`, 'ms', paging.last]
    yield [`page ${counted(coldJump.page)}, asked of a new process`, 'ms', coldJump.time]
  },
  *mail({ ways }) {
    for (const { name, perSecond, processorMs, delay } of ways) {
      yield [`mails, server takes ${name}`, 'a second', perSecond]
      yield [`mails, server takes ${name}`, 'ms of a processor each', processorMs]
      yield [`mail of a grant meanwhile, server takes ${name}`, 'ms', delay]
    }
  },
  *scaling({ processes, start, command }) {
    for (const { workers, perSecond, processor } of processes) {
      yield [`access checks by ${workers} of Gatehouse`, 'a second', perSecond]
      yield [`access checks by ${workers} of Gatehouse`, 'µs of a processor each', processor]
    }
    yield ['start to first answer', 'ms', start]
    yield ['a command, gatehouse app list', 'ms', command]
  },
  *nodes(versions) {
    for (const { release, perSecond, processor, toBare, memoryAfterStart, startedIn } of versions) {
      yield [`access checks on Node ${release}`, 'a second', perSecond]
      yield [`access checks on Node ${release}`, 'µs of a processor each', processor]
      yield [`access checks on Node ${release} ÷ node:http on it`, '', toBare]
      yield [`memory after the start on Node ${release}`, 'MB', once(memoryAfterStart)]
      yield [`start to first answer on Node ${release}`, 'ms', once(startedIn)]
    }
  },
  *bulk({ records, imported, steps }) {
    for (const { name, seconds, processor, server, memory } of steps) {
      const size = name === 'import' ? `${counted(imported)} rows` : `${counted(records)} records`
      yield [`${name}, ${size}`, 's', once(seconds)]
      yield [`${name}, ${size}`, 's of a processor', once(processor)]
      if (server > 0) yield [`${name}, ${size}, PostgreSQL`, 's of a processor', once(server)]
      yield [`${name}, ${size}, peak memory`, 'MB', once(memory)]
    }
  },
  *webhooks({ count, perSecond, processor, bare }) {
    yield [`${counted(count)} events to a webhook`, 'a second', once(perSecond)]
    yield [`${counted(count)} events to a webhook`, 's of a processor', once(processor)]
    yield ['the same bytes by a loop of fetch', 'a second', once(bare)]
  },
}

function detailLines(results) {
  const lines = [['', 'unit', 'median', 'least', 'most']]
  for (const [engine, parts] of Object.entries(results)) {
    for (const [part, result] of Object.entries(parts)) {
      for (const [name, unit, { median, least, most }] of DETAILS[part](result)) {
        lines.push([`${NAMES[engine]}: ${name}`, unit, ...[median, least, most].map(shown)])
      }
    }
  }
  return lines
}

function markdown(lines) {
  const [head, ...rows] = lines.map((line) => `| ${line.join(' | ')} |`)
  return [head, `|${' --- |'.repeat(lines[0].length)}`, ...rows].join('\n')
}

function origin({ machine, settings, client }) {
  const { commit, dirty, processor, cores, memoryGB, node, sqlite, postgres = '–', nginx } = machine
  return (
    `${machine.date.slice(0, 10)}, commit ${commit}${dirty ? ' with changes' : ''}; ${cores} cores ${processor}, ` +
    `${memoryGB} GB, Node ${node}, SQLite ${sqlite}, PostgreSQL ${postgres}, nginx ${nginx}; ` +
    `up to ${counted(settings.sizes.at(-1))} records, ${settings.rounds} rounds of ${settings.seconds} s, ` +
    `${client}, load before the start ${shown(machine.loadBefore)}. Median (least–most) of the rounds.`
  )
}

export function asText({ figures, engines, results, problems }) {
  const parts = [table(figureLines(figures, engines)), table(detailLines(results))]
  if (problems.length > 0) parts.push(problems.map((one) => `FAILED ${one}`).join('\n'))
  return parts.join('\n\n')
}

/** Writes the files of this run to bench/results: all measurements, and the tables. */
export function writeResults(run) {
  const { date, commit, dirty } = run.machine
  const name = `results/${date.slice(0, 10)}-${commit}${dirty ? '-changed' : ''}`
  mkdirSync(at('results'), { recursive: true })
  writeFileSync(at(`${name}.json`), `${JSON.stringify(run, null, 2)}\n`)
  const text = [
    `# Benchmark`,
    origin(run),
    markdown(figureLines(run.figures, run.engines)),
    markdown(detailLines(run.results)),
  ]
  if (run.problems.length > 0) text.push(run.problems.map((one) => `- failed: ${one}`).join('\n'))
  writeFileSync(at(`${name}.md`), `${text.join('\n\n')}\n`)
  return `bench/${name}`
}

const MARKS = /(<!-- newest -->\n)[\s\S]*(<!-- end -->)/

/** Writes the newest table and chart to the docs. */
export function writeDocuments(run) {
  const path = at('../docs/internals/benchmark.md')
  const chart = '![Access checks a second](benchmark.svg)'
  const figures = markdown(figureLines(run.figures, run.engines))
  const newest = `${origin(run)}\n\n${figures}\n\n${chart}\n`
  writeFileSync(
    path,
    readFileSync(path, 'utf8').replace(MARKS, (_, begin, end) => `${begin}${newest}${end}`),
  )
  writeFileSync(at('../docs/internals/benchmark.svg'), drawChart(run.results))
}
