import { Counter, Gauge, type Registry } from 'prom-client'

/** Whether this process uses the fast path for access checks, and how often it was compared with the route. */
export interface FastPathMetrics {
  isOn(): boolean
  switchOn(): void
  /** Counts a response that was compared with the route's. */
  compared(): void
  /** Counts a difference, and switches the fast path off until the process is restarted. */
  differed(): void
}

export function createFastPathMetrics(registry: Registry): FastPathMetrics {
  let isOn = false
  const on = new Gauge({
    name: 'gatehouse_fast_path_on',
    help: '1 while access checks may take the fast path, 0 where it is switched off.',
    registers: [registry],
  })
  const compared = new Counter({
    name: 'gatehouse_fast_path_compared_total',
    help: 'Answers of the fast path that were compared with those of the route.',
    registers: [registry],
  })
  const differences = new Counter({
    name: 'gatehouse_fast_path_differences_total',
    help: 'Answers of the fast path that differed from those of the route: an error in Gatehouse.',
    registers: [registry],
  })
  function turn(state: boolean): void {
    isOn = state
    on.set(state ? 1 : 0)
  }
  return {
    isOn: () => isOn,
    switchOn: () => turn(true),
    compared: () => compared.inc(),
    differed() {
      differences.inc()
      turn(false)
    },
  }
}
