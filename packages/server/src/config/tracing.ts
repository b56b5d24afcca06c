import { parseUrl } from '../parse-url.ts'
import type { Env } from './reader.ts'

/** The traces that OpenTelemetry's standard variables ask for. */
export interface TracingSettings {
  /** Where spans are sent; undefined if traces are only passed on. */
  exporter: { url: string; headers: Record<string, string> } | undefined
  sampler: { isParentBased: boolean; ratio: number }
  resource: Record<string, string>
  /** Problems with the variables. Other programs use them too, so problems don't keep the service from starting. */
  problems: readonly string[]
}

const SAMPLERS: Record<string, (ratio: number) => TracingSettings['sampler']> = {
  always_on: () => ({ isParentBased: false, ratio: 1 }),
  always_off: () => ({ isParentBased: false, ratio: 0 }),
  traceidratio: (ratio) => ({ isParentBased: false, ratio }),
  parentbased_always_on: () => ({ isParentBased: true, ratio: 1 }),
  parentbased_always_off: () => ({ isParentBased: true, ratio: 0 }),
  parentbased_traceidratio: (ratio) => ({ isParentBased: true, ratio }),
}

/** Reads the variables of OpenTelemetry; undefined if they ask for no traces. */
export function readTracing(env: Env): TracingSettings | undefined {
  const read = (name: string) => env[`OTEL_${name}`]?.trim() || undefined
  const specific = (name: string) =>
    read(`EXPORTER_OTLP_TRACES_${name}`) ?? read(`EXPORTER_OTLP_${name}`)
  const isPassedOn = (read('PROPAGATORS') ?? '').split(',').includes('tracecontext')
  const isExported = specific('ENDPOINT') !== undefined && read('TRACES_EXPORTER') !== 'none'
  if (read('SDK_DISABLED')?.toLowerCase() === 'true' || !(isPassedOn || isExported))
    return undefined

  const problems: string[] = []
  const url =
    read('EXPORTER_OTLP_TRACES_ENDPOINT') ??
    `${read('EXPORTER_OTLP_ENDPOINT')?.replace(/\/+$/, '')}/v1/traces`
  if (isExported && !/^https?:$/.test(parseUrl(url)?.protocol ?? '')) {
    problems.push('OTEL_EXPORTER_OTLP_ENDPOINT must be a URL like http://127.0.0.1:4318')
  }
  if (isExported && (specific('PROTOCOL') ?? 'http/json') !== 'http/json') {
    problems.push('OTEL_EXPORTER_OTLP_PROTOCOL must be http/json')
  }
  const headers = readList(specific('HEADERS'), 'OTEL_EXPORTER_OTLP_HEADERS', problems)
  const attributes = readList(read('RESOURCE_ATTRIBUTES'), 'OTEL_RESOURCE_ATTRIBUTES', problems)
  const service = read('SERVICE_NAME') ?? attributes['service.name'] ?? 'gatehouse'
  return {
    exporter: isExported && problems.length === 0 ? { url, headers } : undefined,
    sampler: readSampler(read('TRACES_SAMPLER'), read('TRACES_SAMPLER_ARG'), problems),
    resource: { ...attributes, 'service.name': service },
    problems,
  }
}

function readSampler(
  name = 'parentbased_always_on',
  arg = '1',
  problems: string[],
): TracingSettings['sampler'] {
  const ratio = Number(arg)
  const sampler = Object.hasOwn(SAMPLERS, name) ? SAMPLERS[name] : undefined
  if (!sampler)
    problems.push(`OTEL_TRACES_SAMPLER must be one of ${Object.keys(SAMPLERS).join(', ')}`)
  const isRatio = ratio >= 0 && ratio <= 1
  if (!isRatio) problems.push('OTEL_TRACES_SAMPLER_ARG must be a number from 0 to 1')
  return sampler && isRatio ? sampler(ratio) : { isParentBased: true, ratio: 0 }
}

/** Reads `name=value,name=value`, whose values are percent-encoded. Nothing of it is in an error: it may be a password. */
function readList(text = '', variable: string, problems: string[]): Record<string, string> {
  const values: Record<string, string> = {}
  for (const item of text.split(',').filter((one) => one.trim() !== '')) {
    const [, name, value] = /^\s*([^=\s]+)\s*=(.*)$/.exec(item) ?? []
    try {
      if (name === undefined) throw new URIError()
      values[name] = decodeURIComponent((value ?? '').trim())
    } catch {
      problems.push(`${variable} must be a list like name=value,name=value`)
    }
  }
  return values
}
