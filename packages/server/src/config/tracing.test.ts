import { expect, it } from 'vitest'
import { readConfig } from './config.ts'
import { readTracing } from './tracing.ts'

const ENDPOINT = { OTEL_EXPORTER_OTLP_ENDPOINT: 'http://127.0.0.1:4318' }

it('traces are off unless a variable asks for them, and whenever one forbids them', () => {
  for (const env of [
    {},
    { OTEL_EXPORTER_OTLP_ENDPOINT: ' ' },
    { OTEL_SERVICE_NAME: 'shop' },
    { OTEL_PROPAGATORS: 'baggage' },
    { ...ENDPOINT, OTEL_SDK_DISABLED: 'true' },
    { ...ENDPOINT, OTEL_TRACES_EXPORTER: 'none' },
  ]) {
    expect(readTracing(env)).toBeUndefined()
  }
})

it('traces have the defaults of OpenTelemetry', () => {
  expect(readTracing(ENDPOINT)).toEqual({
    exporter: { url: 'http://127.0.0.1:4318/v1/traces', headers: {} },
    sampler: { isParentBased: true, ratio: 1 },
    resource: { 'service.name': 'gatehouse' },
    problems: [],
  })
})

it('the variables for traces alone go before those for everything', () => {
  expect(
    readTracing({
      ...ENDPOINT,
      OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: 'https://traces.example.com/otlp',
      OTEL_EXPORTER_OTLP_HEADERS: 'a=1',
      OTEL_EXPORTER_OTLP_TRACES_HEADERS: 'authorization=Basic%20YTpi, x = 2 ',
      OTEL_EXPORTER_OTLP_PROTOCOL: 'grpc',
      OTEL_EXPORTER_OTLP_TRACES_PROTOCOL: 'http/json',
      OTEL_TRACES_SAMPLER: 'traceidratio',
      OTEL_TRACES_SAMPLER_ARG: '0.25',
      OTEL_SERVICE_NAME: 'shop',
      OTEL_RESOURCE_ATTRIBUTES: 'service.name=other,team=web',
    }),
  ).toEqual({
    exporter: {
      url: 'https://traces.example.com/otlp',
      headers: { authorization: 'Basic YTpi', x: '2' },
    },
    sampler: { isParentBased: false, ratio: 0.25 },
    resource: { 'service.name': 'shop', team: 'web' },
    problems: [],
  })
})

it('a wrong variable is named without its value, and stops neither the service nor a command', () => {
  const wrong = {
    OTEL_EXPORTER_OTLP_ENDPOINT: 'secret',
    OTEL_EXPORTER_OTLP_HEADERS: 'secret',
    OTEL_EXPORTER_OTLP_PROTOCOL: 'grpc',
    OTEL_TRACES_SAMPLER: 'toString',
    OTEL_TRACES_SAMPLER_ARG: '2',
  }
  const { tracing } = readConfig(wrong)
  expect(tracing?.exporter).toBeUndefined()
  const problems = tracing?.problems ?? []
  expect(problems.map((problem) => problem.split(' ')[0]).sort()).toEqual(Object.keys(wrong).sort())
  expect(problems.join()).not.toContain('secret')
})
