import type { Metric, MetricObject, MetricValue, Registry } from 'prom-client'

/** Counts the responses of one route with one status. */
export interface ResponseCounter {
  /** `seconds` is the time from the request to its response. */
  count(seconds: number): void
}

/** Counts responses and measures their durations. */
export interface ResponseMetrics {
  /** `route` is the pattern, never the path: paths contain names, which would create unlimited labels. */
  of(method: string, route: string, status: number): ResponseCounter
}

const BOUNDS = [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10]

interface Line extends ResponseCounter {
  labels: { method: string; route: string; status: number }
  answers: number
}

/** `within[i]` counts the responses of a route above bound i - 1 and up to bound i, the last entry the longer ones. */
interface Durations {
  within: number[]
  seconds: number
}

function lineOf(labels: Line['labels'], durations: Durations): Line {
  const line = {
    labels,
    answers: 0,
    count(seconds: number) {
      line.answers++
      durations.seconds += seconds
      let bound = 0
      while (bound < BOUNDS.length && seconds > (BOUNDS[bound] as number)) bound++
      durations.within[bound] = (durations.within[bound] as number) + 1
    },
  }
  return line
}

/** Returns the cumulative buckets of a histogram. */
function* valuesOf(
  name: string,
  route: string,
  { within, seconds }: Durations,
): Generator<MetricValue<string>> {
  let sum = 0
  for (const [i, le] of [...BOUNDS, '+Inf'].entries()) {
    sum += within[i] as number
    yield { metricName: `${name}_bucket`, labels: { le, route }, value: sum } as MetricValue<string>
  }
  yield { metricName: `${name}_sum`, labels: { route }, value: seconds } as MetricValue<string>
  yield { metricName: `${name}_count`, labels: { route }, value: sum } as MetricValue<string>
}

/** Has its own counters: those of prom-client take as long per response as everything else that we do for it. */
export function createResponseMetrics(registry: Registry): ResponseMetrics {
  const lines = new Map<string, Line>()
  const routes = new Map<string, Durations>()

  function add(name: string, help: string, type: string, values: () => MetricValue<string>[]) {
    const get = async () =>
      ({ name, help, type, aggregator: 'sum', values: values() }) as unknown as MetricObject
    registry.registerMetric({ name, get, reset() {} } as unknown as Metric)
  }

  add('gatehouse_http_answers_total', 'Answers by route and status.', 'counter', () =>
    [...lines.values()].map(({ labels, answers }) => ({ labels, value: answers })),
  )
  const durations = 'gatehouse_http_duration_seconds'
  add(durations, 'Time from the request to its answer.', 'histogram', () =>
    [...routes].flatMap(([route, taken]) => [...valuesOf(durations, route, taken)]),
  )

  return {
    of(method, route, status) {
      const key = `${method} ${route} ${status}`
      const known = lines.get(key)
      if (known) return known
      const taken = routes.get(route) ?? { within: [...BOUNDS, 0].fill(0), seconds: 0 }
      routes.set(route, taken)
      const line = lineOf({ method, route, status }, taken)
      lines.set(key, line)
      return line
    },
  }
}
