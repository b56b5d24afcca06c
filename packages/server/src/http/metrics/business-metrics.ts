import { Counter, type Registry } from 'prom-client'
import { type Context, ENVIRONMENTS } from '../../context.ts'
import type { EventTally } from '../../domain/events/tally.ts'

/** Registers the counters of what readers and sites have done through this process. A scrape reads them from memory,
 * and makes no query. */
export function registerBusinessMetrics({ environments }: Context, registry: Registry): void {
  function add(name: string, help: string, label: string, part: keyof EventTally) {
    new Counter({
      ...{ name, help, labelNames: ['environment', label], registers: [registry] },
      collect() {
        this.reset()
        for (const environment of ENVIRONMENTS) {
          const counts = environments[environment].eventTally[part]
          for (const [value, count] of Object.entries(counts)) {
            this.inc({ environment, [label]: value }, count)
          }
        }
      },
    })
  }
  const events = 'Events by type, such as payment.succeeded and access.granted.'
  add('gatehouse_events_total', events, 'type', 'events')
  const checkouts = 'Checkouts that buyers have begun, and those that gave them access.'
  add('gatehouse_checkouts_total', checkouts, 'step', 'checkouts')
}
