import { Counter, Gauge, type Registry } from 'prom-client'
import type { Millis } from '../../db/tables.ts'
import { isLow, NEEDED_BYTES, readDiskSpace } from '../../domain/installation/disk.ts'

/** `low`: it may soon be full. `full`: changes are refused. */
export type DiskState = 'ok' | 'low' | 'full'

export interface DiskMetrics {
  /** Counts a change that was refused because a disk is full. */
  refused(): void
  /** The state of the data folder's disk; `full` also if PostgreSQL has just refused a change because its own is. */
  state(): Promise<DiskState>
}

/** How long a refused change shows that a disk is full. */
const REMEMBERED_MS: Millis = 60_000

export function createDiskMetrics(folder: string, own: Registry, shared: Registry): DiskMetrics {
  addGauge(folder, shared, 'free', 'Free bytes on the disk of the data folder.')
  addGauge(folder, shared, 'total', 'The size of the disk of the data folder, in bytes.')
  const counter = new Counter({
    name: 'gatehouse_storage_full_total',
    help: 'Changes that were refused because a disk is full: that of the data folder, or that of PostgreSQL.',
    registers: [own],
  })
  let refusedAt = Number.NEGATIVE_INFINITY
  return {
    refused() {
      refusedAt = performance.now()
      counter.inc()
    },
    async state() {
      if (performance.now() - refusedAt < REMEMBERED_MS) return 'full'
      // On a disk that doesn't answer, nothing can be written either.
      const space = await readDiskSpace(folder).catch(() => ({ free: 0, total: 0 }))
      if (space.free < NEEDED_BYTES) return 'full'
      return isLow(space) ? 'low' : 'ok'
    },
  }
}

function addGauge(folder: string, registry: Registry, of: 'free' | 'total', help: string): void {
  new Gauge({
    name: `gatehouse_disk_${of}_bytes`,
    help,
    registers: [registry],
    async collect() {
      const space = await readDiskSpace(folder).catch(() => undefined)
      if (space) this.set(space[of])
      else this.reset()
    },
  })
}
