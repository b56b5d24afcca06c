import { hostname } from 'node:os'
import { createOutageLogger, type OutageLog } from '../logging/outage-logger.ts'
import { version } from '../version.ts'
import { createOtlpExporter } from './otlp.ts'
import { createTracer, type Sampler, type Tracer } from './tracer.ts'

interface Settings {
  exporter: { url: string; headers: Readonly<Record<string, string>> } | undefined
  sampler: Sampler
  resource: Readonly<Record<string, string>>
}

/** Opens what the settings ask for. A collector that is away is logged once, and again when it is back. */
export function openTracer({ exporter, sampler, resource }: Settings, log: OutageLog): Tracer {
  if (!exporter) return createTracer(sampler)
  const own = {
    ...{ 'service.version': version(), 'process.pid': process.pid, 'host.name': hostname() },
    ...resource,
  }
  const outages = createOutageLogger(log, 'sending traces')
  return createTracer(sampler, createOtlpExporter({ ...exporter, resource: own }, outages))
}
